# plan.bash - for the bats files: plans made by hand, and what a folder holds.

bats_require_minimum_version 1.5.0

# built NAME: the path of a program that was built
built() {
	(cd "${BATS_TEST_DIRNAME:?}/.." && cd "${BUILD:-build}" && printf '%s/%s\n' "$PWD" "$1")
}

# make_plan LOCKS REPETITIONS DURATION_MS TIMEOUT_MS: a plan.json on stdout, one
# cell for each lock, four threads that spend nearly all their time inside.
make_plan() {
	local cell=0 rep comma='' lock

	printf '{"schema":1,"name":"test","seed":7,"cells":['
	for lock in $1; do
		printf '%s{"id":%d,"experiment":"test","lock":"%s","lock_file":"%s",' \
			"$comma" $cell "$lock" "$lock"
		printf '"workload":"rwmix","call":"inline","lock_params":{},'
		printf '"params":{"read_pct":50,"cs":20000,"ncs":0,"lines":0},'
		printf '"threads":4,"readers":0,"writers":0,"placement":"none",'
		printf '"cpus":[-1,-1,-1,-1],"memory":"first-touch","operations":0,'
		printf '"duration_ns":%d000000,"warmup_ns":0,"timeout_ns":%d000000,' "$3" "$4"
		printf '"repetitions":%d,"sample_every":0,"counters":[],"baseline":null}' "$2"
		comma=, cell=$((cell + 1))
	done
	printf '],"steps":['
	comma=''
	for ((rep = 0; rep < $2; rep++)); do
		for ((c = 0; c < cell; c++)); do
			printf '%s[%d,%d]' "$comma" $c $rep
			comma=,
		done
	done
	printf ']}\n'
}

# The (cell, repetition) pairs of a folder, one a line, sorted; twins stay.
pairs() {
	grep -o '^{"schema":1,"cell":[0-9]*,"rep":[0-9]*' "$1/records.jsonl" | sort
}

# status_of DIR LOCK
status_of() {
	grep "\"lock\":\"$2\"" "$1/records.jsonl" | grep -o '"status":"[a-z]*"' | cut -d'"' -f4
}
