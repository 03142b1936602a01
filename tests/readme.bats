#!/usr/bin/env bats
# Every command of the README, in its order, in a copy of the tree. The first
# two are the whole of .ci/run's first part; here the first runs on a small
# configuration of the same name, and the second is only looked at.

load tree

setup_file() {
	export COPY="$BATS_FILE_TMPDIR/a tree"
	copy_tree "$COPY"
	cat >"$COPY/configs/quick.conf" <<-'EOF'
		duration = "0.02s"
		repetitions = 1
		locks = {"none", "pthread_mutex"}
		threads = {"1", "2"}
		experiment "mix" { workload = "rwmix" }
	EOF
	blocks sh "$TREE/README.md" >"$BATS_FILE_TMPDIR/commands"
}

@test "the README begins with the two commands" {
	run head -n 2 "$BATS_FILE_TMPDIR/commands"
	[ "${lines[0]}" = "./run.sh configs/quick.conf" ]
	[ "${lines[1]}" = "make check" ]
	make -C "$COPY" -n check-all >"$BATS_TEST_TMPDIR/check"
	grep -q 'tests/run-all build all' "$BATS_TEST_TMPDIR/check"
}

@test "each command of it runs" {
	cd "$COPY"
	while read -r command; do
		[ "$command" = "make check" ] && continue
		echo "$command"
		bash -c "$command" </dev/null
	done <"$BATS_FILE_TMPDIR/commands"
}

@test "what it links to and shows is there" {
	cd "$TREE"
	grep -o '](\([^)#]*\))' README.md | tr -d '()]' | while read -r path; do
		case $path in http*) continue ;; esac
		echo "$path"
		[ -e "$path" ]
	done
}
