#!/usr/bin/env bats
# events.bats - counting inside the locks: off it costs nothing, on it is in the
# records, and `events` makes the table of them.

bats_require_minimum_version 1.5.0
load tree

setup() {
	cd "$TREE" || return
}

needs() {
	command -v "$1" >/dev/null || skip "needs $1"
}

counting_locks() {
	grep -l COUNTS_ locks/*.c
}

# cell CC LOCKS LOCK OUT: an inlined cell of rwmix with a lock out of a folder
cell() {
	"$1" -std=gnu17 -D_GNU_SOURCE -O2 -Iharness -I"$2" -Wno-missing-field-initializers \
		-DLOCK_FILE="\"$2/$3.c\"" -DWORKLOAD_FILE='"../workloads/rwmix.c"' \
		-c -o "$4" harness/cell.c
}

# the instructions, without the name of the object
code() {
	objdump -dr --no-show-raw-insn "$1" | tail -n +4
}

# same_code CC: every counting lock, as it is and with the calls deleted
same_code() {
	local work=$BATS_TEST_TMPDIR lock

	mkdir "$work/without" "$work/o"
	cp locks/*.[ch] "$work/without"
	sed -i '/lock_event/d' "$work/without"/*
	for lock in $(counting_locks); do
		lock=$(basename "$lock" .c)
		cell "$1" "$TREE/locks" "$lock" "$work/o/with.o"
		cell "$1" "$work/without" "$lock" "$work/o/without.o"
		if nm "$work/o/with.o" | grep lock_event; then
			echo "$lock names an event"
			return 1
		fi
		cmp <(code "$work/o/with.o") <(code "$work/o/without.o") || {
			echo "$lock: other instructions with the calls than without"
			return 1
		}
	done
}

@test "off, gcc: the same instructions as without the calls" {
	needs objdump
	[ "$(counting_locks | wc -l)" -ge 12 ]
	same_code gcc
}

@test "off, clang: the same instructions as without the calls" {
	needs objdump
	needs clang
	same_code clang
}

@test "a call that costs something is told" {
	needs objdump
	mkdir "$BATS_TEST_TMPDIR/tree"
	cp -r harness locks workloads "$BATS_TEST_TMPDIR/tree"
	cd "$BATS_TEST_TMPDIR/tree"
	TREE=$PWD
	sed -i 's/^#define lock_event_fast(side) .*/#define lock_event_fast(side) __asm__ volatile("nop")/' \
		harness/events.h
	run -1 same_code gcc
	[[ $output == *"other instructions"* ]]
}

# measured OUT: a short run with events
measured() {
	cat >"$BATS_TEST_TMPDIR/events.conf" <<-'EOC'
		duration = 20ms
		warmup = 0s
		repetitions = 2
		experiment "writers" {
			workload = rwmix
			params { read_pct = 20 }
			locks = {"rwsem_steal", "rwsem_spin", "kmutex", "pthread_mutex"}
			threads = {4}
			events = on
		}
	EOC
	"$BUILT/latchmark" run -q --no-plot "$BATS_TEST_TMPDIR/events.conf" -o "$1"
}

@test "events DIR: the table, with what does not apply, and n" {
	measured "$BATS_TEST_TMPDIR/out"
	run -0 "$BUILT/latchmark" events "$BATS_TEST_TMPDIR/out"
	[[ ${lines[0]} == writers:* ]]
	grep -Eq '^ +rwsem_steal +rwsem_spin +kmutex$' <<<"$output"
	grep -Eq '^  Repetitions +2 +2 +2$' <<<"$output"
	grep -Eq '^  Writer acquisition blocked count +[0-9]+ +[0-9]+ +[0-9]+$' <<<"$output"
	# rwsem_steal does not spin; nothing waits for a reader in a mutex
	grep -Eq '^  Lock acquired with optimistic spin +N/A +([0-9.]+%|–) +([0-9.]+%|–)$' <<<"$output"
	grep -Eq '^  Sum +(100.00%|–) +(100.00%|–) +(100.00%|–)$' <<<"$output"
	grep -q '^  pthread_mutex: this lock counts no events$' <<<"$output"
	# the resolved config says it, and so does the plan
	grep -q 'events = on' "$BATS_TEST_TMPDIR/out/config"
	grep -q '"events": *true' "$BATS_TEST_TMPDIR/out/plan.json"
}

@test "events DIR: records whose classes do not add up are an error with the line" {
	measured "$BATS_TEST_TMPDIR/out"
	sed -i '/"lock":"kmutex"/s/"write_slow":{"value":/&1/' "$BATS_TEST_TMPDIR/out/records.jsonl"
	run -2 --separate-stderr "$BUILT/latchmark" events "$BATS_TEST_TMPDIR/out"
	# shellcheck disable=SC2154 # bats sets it
	[[ $stderr == *"records.jsonl:"*"'write_slow' is 1"*"add up to"* ]]
}

@test "events DIR: without events it says what to do; no folder, no argument" {
	measured "$BATS_TEST_TMPDIR/out"
	sed -i 's/"events":{.*}}*,"hung/"events":null,"events_reason":"not asked for","hung/' \
		"$BATS_TEST_TMPDIR/out/records.jsonl"
	run ! grep -q '"write_slow"' "$BATS_TEST_TMPDIR/out/records.jsonl"
	run -2 "$BUILT/latchmark" events "$BATS_TEST_TMPDIR/out"
	[[ $output == *"measure with events = on"* ]]
	run -2 "$BUILT/latchmark" events "$BATS_TEST_TMPDIR/nowhere"
	run -2 "$BUILT/latchmark" events
	run -0 "$BUILT/latchmark" events --help
}

@test "events = maybe is refused" {
	measured "$BATS_TEST_TMPDIR/out"
	run -2 "$BUILT/latchmark" plan --set events=maybe "$BATS_TEST_TMPDIR/events.conf"
	[[ $output == *"events"*"off, on"* ]]
}
