/*
 * child.c - the parent's half of a repetition: fork, wait with a deadline,
 * name what happened. The measuring half is crew.c.
 */
#include "child.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "crew.h"

/* Two looks at a hung thread's progress, this far apart, tell waiting from working. */
#define HUNG_LOOK_NS 20000000

static size_t sample_size(unsigned threads)
{
	return sizeof(struct sample) + threads * sizeof(struct slot);
}

struct sample *sample_new(unsigned threads)
{
	struct sample *s = mmap(NULL, sample_size(threads), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (s == MAP_FAILED)
		return NULL;
	s->threads = threads;
	return s;
}

void sample_free(struct sample *sample)
{
	if (sample)
		munmap(sample, sample_size(sample->threads));
}

const char *status_name(enum record_status status)
{
	static const char *const names[] = {
		[STATUS_OK] = "ok",
		[STATUS_HUNG] = "hung",
		[STATUS_CRASHED] = "crashed",
		[STATUS_VIOLATED] = "violated",
		[STATUS_UNSUPPORTED] = "unsupported",
	};

	return names[status];
}

static void sleep_ns(uint64_t ns)
{
	struct timespec ts = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	nanosleep(&ts, NULL);
}

/* The thread that is inside a write section of the child, or −1. */
static int writer_inside(pid_t pid, const struct sample *s)
{
	struct section section;
	struct iovec here = { &section, sizeof(section) };
	struct iovec there = { (void *)(uintptr_t)s->section_address, sizeof(section) };
	uint64_t before;

	if (!s->section_address ||
	    process_vm_readv(pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof(section))
		return -1;
	before = load_rlx(&section.before);
	return before == load_rlx(&section.after) ? -1 : (int)(before & 0xffff);
}

static void describe_hung(const struct cell_spec *spec, pid_t pid, struct sample *s)
{
	uint64_t *seen = calloc(s->threads, sizeof(*seen));
	int writer;

	for (unsigned i = 0; seen && i < s->threads; i++)
		seen[i] = load_rlx(&s->slots[i].progress);
	sleep_ns(HUNG_LOOK_NS);
	writer = writer_inside(pid, s);
	for (unsigned i = 0; seen && i < s->threads; i++) {
		struct slot *slot = &s->slots[i];
		uint64_t now = load_rlx(&slot->progress);
		uint32_t stage = load_rlx(&slot->stage);

		if (stage != STAGE_WARMUP && stage != STAGE_MEASURED)
			slot->where = WHERE_OUTSIDE;
		else if (now & 1 || (int)i == writer)
			slot->where = WHERE_HOLDING;
		else
			slot->where = now == seen[i] ? WHERE_WAITING : WHERE_OUTSIDE;
	}
	free(seen);
	s->status = STATUS_HUNG;
	snprintf(s->reason, REASON_SIZE, "not over after its time limit of %.3g s",
		 (double)spec->timeout_ns / 1e9);
}

/*
 * Sleeps until the child is dead (0), the deadline has passed (-ETIMEDOUT) or
 * a second interrupt came (-EINTR). Signals are let in only while sleeping, so
 * that none is missed between the look at the count and the sleep.
 */
static int wait_for_end(int pidfd, pid_t pid, uint64_t deadline, const sigset_t *mask,
			const volatile sig_atomic_t *interrupts)
{
	struct pollfd fd = { .fd = pidfd, .events = POLLIN };
	siginfo_t info = { 0 };

	for (;;) {
		uint64_t now = clock_now(), left = now < deadline ? deadline - now : 0;
		struct timespec ts = { (time_t)(left / 1000000000u), (long)(left % 1000000000u) };

		if (interrupts && *interrupts >= 2)
			return -EINTR;
		if (!left)
			return -ETIMEDOUT;
		/* kernels before 5.3 have no pidfd: look every millisecond */
		if (pidfd < 0 && left > 1000000)
			ts = (struct timespec){ 0, 1000000 };
		if (ppoll(&fd, pidfd >= 0, &ts, mask) > 0)
			return 0;
		if (pidfd < 0 && !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
		    info.si_pid == pid)
			return 0;
	}
}

static void name_end(struct sample *s, int status)
{
	const char *name;

	if (WIFSIGNALED(status)) {
		name = sigabbrev_np(WTERMSIG(status));
		s->status = STATUS_CRASHED;
		snprintf(s->reason, REASON_SIZE, "killed by SIG%s", name ? name : "?");
	} else if (WEXITSTATUS(status)) {
		s->status = STATUS_CRASHED;
		snprintf(s->reason, REASON_SIZE, "the process exited with code %d",
			 WEXITSTATUS(status));
	}
}

static uint64_t last_end(const struct sample *s)
{
	uint64_t last = 0;

	for (unsigned i = 0; i < s->threads; i++)
		if (s->slots[i].end_ns > last)
			last = s->slots[i].end_ns;
	return last;
}

static void child(const struct cell_spec *spec, uint64_t seed, unsigned turn, uint64_t forked,
		  pid_t parent, struct sample *sample)
{
	struct rlimit no_core = { 0, 0 };

	/* a killed run leaves no process behind; it may have died before this line */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* its own group: ^C is for the parent, and a workload's children die with it */
	setpgid(0, 0);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	crew_run(spec, seed, turn, forked, sample);
	_exit(0);
}

int child_run(const struct cell_spec *spec, uint64_t seed, unsigned turn,
	      const volatile sig_atomic_t *interrupts, struct sample *sample)
{
	uint64_t forked = clock_now(), ended;
	struct rusage usage = { 0 };
	pid_t parent = getpid(), pid;
	sigset_t block, mask;
	int rc, pidfd, status = 0;

	/* what holds when the child leaves by a door of its own */
	sample->status = STATUS_CRASHED;
	snprintf(sample->reason, REASON_SIZE, "the process ended before the measuring did");
	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, &mask);
	pid = fork();
	if (pid < 0) {
		rc = -errno;
		goto out;
	}
	if (!pid) {
		sigprocmask(SIG_SETMASK, &mask, NULL);
		child(spec, seed, turn, forked, parent, sample);
	}
	setpgid(pid, pid); /* both do it: whoever comes first */
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	rc = wait_for_end(pidfd, pid, forked + spec->timeout_ns, &mask, interrupts);
	if (rc == -ETIMEDOUT)
		describe_hung(spec, pid, sample);
	/* also after a good end: a workload may have left children of its own */
	kill(-pid, SIGKILL);
	if (wait4(pid, &status, 0, &usage) < 0)
		status = 0;
	ended = clock_now();
	if (pidfd >= 0)
		close(pidfd);
	sample->peak_rss = (uint64_t)usage.ru_maxrss << 10;
	if (!rc)
		name_end(sample, status);
	if (load_acq(&sample->measured))
		sample->turnover_ns = ended - last_end(sample);
	if (rc == -ETIMEDOUT)
		rc = 0;
out:
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return rc;
}
