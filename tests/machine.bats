#!/usr/bin/env bats
# The verbs that look at the machine: `machine`, `list machine`, `list counters`.

load tree

@test "machine names no command without a finding, and ends with 0" {
	run "$BUILT/latchmark" machine
	[ "$status" -eq 0 ]
	while read -r line; do
		case $line in
		*"; mend: "?* | *"; nothing mends this from here" | *"run --strict refuse") ;;
		*) echo "neither mended nor said to be beyond: $line" && false ;;
		esac
	done <<<"$output"
}

@test "machine takes no argument" {
	run "$BUILT/latchmark" machine all
	[ "$status" -eq 2 ]
	[[ $output == *all* ]]
	run "$BUILT/latchmark" machine --help
	[ "$status" -eq 0 ]
}

@test "list machine keeps to the allowed CPUs" {
	cpu=$(taskset -cp $$ | sed 's/.*[:,-] *//')
	run taskset -c "$cpu" "$BUILT/latchmark" list machine
	[ "$status" -eq 0 ]
	[[ $output == *"1 CPUs, "* ]]
}

@test "list machine shows the machine described by hwloc's variables, and says so" {
	HWLOC_SYNTHETIC="package:2 node:1 core:2 pu:2" run "$BUILT/latchmark" list machine
	[ "$status" -eq 0 ]
	[[ $output == "described by the environment"*"8 CPUs, 4 cores, 2 packages, 2 nodes"* ]]
}

@test "list counters has a count or a reason for each event" {
	run "$BUILT/latchmark" list counters
	[ "$status" -eq 0 ]
	[[ $output == *PAGE-FAULTS* && $output == *PAPI_TOT_CYC* ]]
	[ "$(grep -cE '^  (yes  [^ ]+ +[0-9]+ under known work|no   [^ ]+ +[^ ].*)$' <<<"$output")" \
		-eq "$(grep -c '^  ' <<<"$output")" ]
}

@test "list knows its words" {
	run "$BUILT/latchmark" list machines
	[ "$status" -eq 2 ]
	[[ $output == *machines*"locks, workloads, machine, counters"* ]]
}
