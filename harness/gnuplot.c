/* gnuplot.c - see gnuplot.h. */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text.h"

extern char **environ;

bool gnuplot_found(void)
{
	char *path = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin"), *save = NULL;
	bool found = false;

	for (char *dir = path ? strtok_r(path, ":", &save) : NULL; dir && !found;
	     dir = strtok_r(NULL, ":", &save)) {
		char *file = text_append(NULL, "%s/gnuplot", dir);

		found = !access(file, X_OK);
		free(file);
	}
	free(path);
	return found;
}

/* folder NULL: here. in, out: descriptors; −1 for nothing, and for stderr. 0 or -errno */
static int start(pid_t *pid, const char *folder, char *const argv[], int in, int out)
{
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return -rc;
	if (folder)
		rc = posix_spawn_file_actions_addchdir_np(&actions, folder);
	if (!rc && in < 0)
		rc = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	else if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, in, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, out < 0 ? 2 : out, 1);
	if (!rc)
		rc = posix_spawnp(pid, "gnuplot", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -rc;
}

static bool ended_well(int status)
{
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool reap(pid_t *running, unsigned count, bool *done, const char *const *files)
{
	int status;
	pid_t pid;

	/* by number: a caller may have children of its own */
	for (unsigned i = 0; i < count; i++) {
		if (running[i] <= 0)
			continue;
		do
			pid = waitpid(running[i], &status, 0);
		while (pid < 0 && errno == EINTR);
		done[i] = pid > 0 && ended_well(status);
		if (!done[i])
			fprintf(stderr, "gnuplot failed on %s\n", files[i]);
		running[i] = 0;
		return true;
	}
	return false;
}

unsigned gnuplot_draw(const char *folder, const char *set, const char *const *files, unsigned count,
		      bool *result)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pid_t *running = calloc(count + 1, sizeof(*running));
	bool *done = calloc(count + 1, sizeof(*done));
	unsigned busy = 0, failed = 0;

	if (!running || !done)
		abort();
	for (unsigned i = 0; i < count; i++) {
		char *argv[] = { "gnuplot", "-e", (char *)set, (char *)files[i], NULL };
		int rc;

		if (busy >= (cpus > 0 ? cpus : 1) && reap(running, i, done, files))
			busy--;
		rc = start(&running[i], folder, argv, -1, -1);
		if (rc) {
			fprintf(stderr, "gnuplot cannot be run: %s\n", strerror(-rc));
			running[i] = 0;
			break;
		}
		busy++;
	}
	while (reap(running, count, done, files))
		;
	for (unsigned i = 0; i < count; i++) {
		failed += !done[i];
		if (result)
			result[i] = done[i];
	}
	free(running);
	free(done);
	return failed;
}

int gnuplot_print(FILE *script, FILE *to)
{
	char *argv[] = { "gnuplot", "-", NULL };
	int ends[2], status, rc;
	char text[4096];
	ssize_t n;
	pid_t pid;

	if (fflush(script) || lseek(fileno(script), 0, SEEK_SET) || pipe2(ends, O_CLOEXEC))
		return -errno;
	rc = start(&pid, NULL, argv, fileno(script), ends[1]);
	close(ends[1]);
	while (!rc && (n = read(ends[0], text, sizeof(text))) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		for (ssize_t i = 0; i < n; i++)
			/* the dumb terminal begins its pages with form feeds */
			if (text[i] != '\f')
				putc(text[i], to);
	}
	close(ends[0]);
	if (!rc)
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	return rc ? rc : ended_well(status) ? 0 : -EIO;
}
