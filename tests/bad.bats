#!/usr/bin/env bats
# bad.bats - a run over the known-bad locks ends by itself, names each, and
# leaves all other cells whole.

load plan

setup_file() {
	make -s -C "$BATS_TEST_DIRNAME/.." BUILD="${BUILD:-build}" "${BUILD:-build}/latchmark-bad"
}

expected='never_releases hung
forgets_exclusion violated
reader_beside_writer violated
serialises_readers violated
crashes crashed
spins_forever hung
loses_wakeup hung
pthread_mutex ok
pthread_spin ok
pthread_rwlock ok'

setup() {
	latchmark=$(built latchmark-bad)
	cd "$BATS_TEST_TMPDIR" || exit
}

@test "each bad lock has its status, the good ones are whole, exit code 3" {
	make_plan "$(cut -d' ' -f1 <<<"$expected" | tr '\n' ' ')" 1 80 1000 >plan.json
	run -3 timeout 60 "$latchmark" run --no-plot plan.json -o out
	[ "$(pairs out | uniq | wc -l)" -eq 10 ]
	while read -r lock status; do
		echo "$lock: expected $status, is $(status_of out "$lock")"
		[ "$(status_of out "$lock")" = "$status" ]
	done <<<"$expected"
	# a hung cell says where each of its four threads stood
	grep '"lock":"never_releases"' out/records.jsonl |
		grep -o '"where":"waiting"' | wc -l | grep -qx 4
	# what was not measured is null, not 0
	grep '"lock":"crashes"' out/records.jsonl | grep -q '"throughput":null'
}

@test "good locks alone: exit code 0, the path on stdout, -q says nothing" {
	make_plan "pthread_mutex pthread_spin" 2 5 10000 >plan.json
	run -0 --separate-stderr timeout 60 "$latchmark" run --no-plot plan.json -o out
	[ "${lines[-1]}" = out ]
	[[ $output == *"acquisitions per second"* ]]
	[ ! -e out/plots ]
	# shellcheck disable=SC2154 # bats sets it
	grep -q 'pthread_spin' <<<"$stderr"
	run -0 --separate-stderr timeout 60 "$latchmark" run -q --no-plot plan.json -o quiet
	[ "$output" = quiet ]
	[ -z "$stderr" ]
}

@test "a configuration over bad and good locks: the same, with pictures" {
	cat >mix.conf <<-'EOF'
		duration = "0.02s"
		warmup = "0s"
		timeout = "1s"
		repetitions = 2
		locks = {"pthread_*", "crashes"}
		experiment "mix" {
			workload = "rwmix"
			threads = {"2"}
			params { read_pct = {"50"} }
		}
	EOF
	run -3 timeout 90 "$latchmark" mix.conf --set repetitions=1
	[ "$(dirname "${lines[-1]}")" = results ]
	[ -s "${lines[-1]}/config" ]
	[ "$(status_of "${lines[-1]}" crashes)" = crashed ]
	[ "$(status_of "${lines[-1]}" pthread_mutex)" = ok ]
	[ "$(pairs "${lines[-1]}" | wc -l)" -ge 3 ]
	[ -s "${lines[-1]}/plots/index.html" ]
}
