#!/usr/bin/env bats
# plan.bats - the verb plan, and the commands that docs/configs.md shows.

load plan

setup() {
	latchmark=$(built latchmark)
	cd "$BATS_TEST_DIRNAME/.." || exit
}

@test "every cell is a line, and the time stands below" {
	run -0 --separate-stderr "$latchmark" plan configs/quick.conf --set threads=1,3 \
		--set params.read_pct=99 --set locks=none,kmutex --set baseline=none
	[[ ${lines[0]} == *cell*experiment*workload*params*lock*call*threads*placement*reps* ]]
	[ "$(grep -c '^ *[0-9]\+  ' <<<"$output")" -eq 8 ]
	[[ $output == *"8 cells, 40 repetitions in the order of seed 1: about "* ]]
	[[ $output == *"read_pct=99 cs=0ns ncs=0ns lines=0"* ]]
	# shellcheck disable=SC2154 # bats sets it
	[ -z "$stderr" ]
}

@test "the table is aligned" {
	run -0 "$latchmark" plan configs/seeds/2001-rwsem.conf
	# where the lock begins, in the heading and in each of the 48 cells
	[ "$(awk 'NR <= 49 { print match($0, /lock|rwsem_/) }' <<<"$output" | sort -u | wc -l)" -eq 1 ]
	[ "$(awk 'NR <= 49 { print match($0, /(in|out)line|call/) }' <<<"$output" | sort -u | wc -l)" -eq 1 ]
}

@test "a config that does not hold: exit code 2, where, what, and what would be right" {
	printf 'experiment "x" {\n workload = rwmix\n locks = rwsem_xad\n}\n' \
		>"$BATS_TEST_TMPDIR/my bad.conf"
	for verb in plan run; do
		run -2 --separate-stderr "$latchmark" "$verb" "$BATS_TEST_TMPDIR/my bad.conf"
		[ -z "$output" ]
		[[ $stderr == *"my bad.conf:3: no lock 'rwsem_xad'; nearest: rwsem_xadd"* ]]
	done
	run -2 "$latchmark" plan configs/quick.conf --set threads=none
	[[ $output == *"--set threads=none:"* ]]
}

@test "usage: --help, and no or too many configs" {
	run -0 --separate-stderr "$latchmark" plan --help
	[[ $output == usage:* ]]
	run -2 "$latchmark" plan
	run -2 "$latchmark" plan configs/quick.conf configs/quick.conf
	run -2 "$latchmark" plan --sett x configs/quick.conf
	run -2 "$latchmark" plan nosuch.conf
	[[ $output == *"nosuch.conf"*"No such file"* ]]
}

@test "the commands of docs/configs.md" {
	local count=0 command
	while read -r command; do
		count=$((count + 1))
		eval "\"$latchmark\" ${command#./run.sh }" >"$BATS_TEST_TMPDIR/out"
	done < <(grep '^\./run\.sh plan' docs/configs.md)
	[ "$count" -ge 2 ]
}

@test "the example of docs/configs.md is a config" {
	awk '/^```/ { n++; next } n == 1' docs/configs.md >"$BATS_TEST_TMPDIR/example.conf"
	run -0 "$latchmark" plan "$BATS_TEST_TMPDIR/example.conf"
	[[ $output == *"faults"*"size=1M"* ]]
}

@test "what a run keeps is its config again" {
	run -0 --separate-stderr "$latchmark" run -q configs/quick.conf \
		-o "$BATS_TEST_TMPDIR/out" --set duration=2ms --set warmup=0 --set repetitions=1 \
		--set threads=1 --set locks=none,kmutex --set baseline=none
	"$latchmark" plan configs/quick.conf --set duration=2ms --set warmup=0 \
		--set repetitions=1 --set threads=1 --set locks=none,kmutex --set baseline=none \
		>"$BATS_TEST_TMPDIR/one"
	"$latchmark" plan "$BATS_TEST_TMPDIR/out/config" >"$BATS_TEST_TMPDIR/two"
	diff "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/two"
}
