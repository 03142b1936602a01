#!/usr/bin/env bats
# resume.bats - a run that is killed at any moment goes on as if it had not
# been: every repetition is there, none twice, and no process is left behind.

load plan

setup() {
	latchmark=$(built latchmark)
	cd "$BATS_TEST_TMPDIR" || exit
}

# Processes with this test's folder on their command line; the brackets keep
# grep itself out.
left_behind() {
	grep -lsz "$BATS_TEST_TMPDIR/ou[t]" /proc/[0-9]*/cmdline || true
}

none_left_behind() {
	local i
	for ((i = 0; i < 100; i++)); do
		[ -z "$(left_behind)" ] && return 0
		sleep 0.02
	done
	echo "still there: $(left_behind)"
	return 1
}

# kill_after SECONDS COMMAND…
kill_after() {
	local seconds=$1 pid
	shift
	"$@" >/dev/null 2>&1 &
	pid=$!
	sleep "$seconds"
	kill -9 $pid 2>/dev/null || true # it may be over
	wait $pid 2>/dev/null || true
}

@test "killed at 20 random moments and resumed: nothing lost, nothing twice" {
	local all begun partial=0 moment count turn # bats itself uses i
	RANDOM=2001
	make_plan "pthread_mutex pthread_spin none pthread_rwlock" 6 3 10000 >plan.json
	begun=$(date +%s%N)
	run -0 "$latchmark" run -q --no-plot plan.json -o "$PWD/whole"
	all=$((($(date +%s%N) - begun) / 1000))
	[ "$(pairs whole | wc -l)" -eq 24 ]
	for ((turn = 0; turn < 20; turn++)); do
		moment=$(printf '0.%06d' $((all * (RANDOM % 1000) / 1000 % 1000000)))
		kill_after "$moment" "$latchmark" run -q --no-plot plan.json -o "$PWD/out"
		none_left_behind
		# before the folder is whole there is none, and nothing to resume
		if [ -d out ]; then
			count=$(pairs out | wc -l)
			[ "$count" -lt 24 ] && [ "$count" -gt 0 ] && partial=$((partial + 1))
			# every other time the going on is killed as well
			[ $((turn % 2)) -eq 0 ] ||
				kill_after "$moment" "$latchmark" resume -q --no-plot "$PWD/out"
			run -0 "$latchmark" resume -q --no-plot "$PWD/out"
		else
			run -0 "$latchmark" run -q --no-plot plan.json -o "$PWD/out"
		fi
		diff <(pairs whole) <(pairs out)
		rm -r out
	done
	echo "$partial of 20 were in the middle"
	[ "$partial" -ge 4 ]
}

@test "a cut last line is dropped with a warning; other damage is an error" {
	make_plan "pthread_mutex" 3 2 10000 >plan.json
	run -0 "$latchmark" run -q --no-plot plan.json -o out
	truncate -s -20 out/records.jsonl
	run -0 "$latchmark" resume --no-plot out
	[[ $output == *"cut short"* ]]
	[[ $output == *"2 of 3 repetitions are there"* ]]
	[ "$(pairs out | uniq | wc -l)" -eq 3 ]
	sed -i '2s/^{/[/' out/records.jsonl
	run -2 "$latchmark" resume --no-plot out
	[[ $output == *"line 2 is not JSON"* ]]
}

@test "^C finishes the repetition, says how to go on, and exits 130" {
	local pid rc=0
	make_plan "pthread_mutex" 4 400 10000 >plan.json
	"$latchmark" run --no-plot plan.json -o out >/dev/null 2>err &
	pid=$!
	until [ -d out ]; do sleep 0.02; done
	sleep 0.1
	kill -INT $pid
	wait $pid || rc=$?
	[ $rc -eq 130 ]
	grep -q "resume out" err
	# it was written, not thrown away
	[ "$(pairs out | wc -l)" -ge 1 ]
	[ "$(pairs out | wc -l)" -lt 4 ]
	run -0 "$latchmark" resume --no-plot out
	[ "$(pairs out | uniq | wc -l)" -eq 4 ]
}

@test "^C twice ends at once and stays resumable" {
	local pid rc=0
	make_plan "pthread_mutex" 1 60000 90000 >plan.json
	"$latchmark" run --no-plot plan.json -o "$PWD/out" >/dev/null 2>&1 &
	pid=$!
	until [ -d out ]; do sleep 0.02; done
	kill -INT $pid
	sleep 0.1
	kill -INT $pid
	wait $pid || rc=$?
	[ $rc -eq 130 ]
	none_left_behind
	[ "$(pairs out | wc -l)" -eq 0 ]
}

@test "killed in the middle of a long repetition: its process goes, too" {
	local pid
	make_plan "pthread_mutex" 1 60000 90000 >plan.json
	"$latchmark" run -q --no-plot plan.json -o "$PWD/out" >/dev/null 2>&1 &
	pid=$!
	# the parent, and the child that measures
	until [ "$(left_behind | wc -l)" -ge 2 ] && [ -d out ]; do sleep 0.02; done
	kill -9 $pid
	wait $pid || true
	none_left_behind
}

@test "a folder is not written by two runs, and not overwritten" {
	local pid
	make_plan "pthread_mutex" 1 2000 10000 >plan.json
	"$latchmark" run -q --no-plot plan.json -o out >/dev/null 2>&1 &
	pid=$!
	until [ -d out ]; do sleep 0.02; done
	run -2 "$latchmark" resume --no-plot out
	[[ $output == *"another run"* ]]
	run -2 "$latchmark" run -q --no-plot plan.json -o out
	[[ $output == *"not an empty folder"* ]]
	kill -9 $pid
	wait $pid || true
}

@test "usage faults exit 2 and say what would be right" {
	run -2 "$latchmark" run
	[[ $output == *"--help"* ]]
	run -2 "$latchmark" resume nowhere
	[[ $output == *"nowhere"* ]]
	run -2 "$latchmark" run --reruns many plan.json
	[[ $output == *"whole number"* ]]
	make_plan "no_such_lock" 1 2 10000 >plan.json
	run -2 "$latchmark" run --no-plot plan.json -o out
	[[ $output == *"no_such_lock"* ]]
	[ ! -e out ]
	run -0 "$latchmark" run --help
	run -0 "$latchmark" resume --help
}
