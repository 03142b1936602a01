#!/usr/bin/env bats
# docs/adding-a-lock.md, done word by word in a copy of the tree.

load tree

setup_file() {
	export COPY="$BATS_FILE_TMPDIR/a tree"
	export PAGE=$TREE/docs/adding-a-lock.md
	copy_tree "$COPY"
	rm -rf "$COPY/tests"/test_*.c # the page's tests are the conformance tests
	cp "$TREE"/tests/test_conformance.c "$COPY/tests/" 2>/dev/null || true
	blocks c "$PAGE" >"$COPY/locks/myticket.c"
	mkdir -p "$COPY/configs"
	blocks conf "$PAGE" >"$COPY/configs/myticket.conf"
	blocks sh "$PAGE" >"$BATS_FILE_TMPDIR/commands"
}

# step PATTERN: runs the page's one command that matches.
step() {
	local command
	command=$(grep -- "$1" "$BATS_FILE_TMPDIR/commands")
	[ "$(wc -l <<<"$command")" -eq 1 ] || { echo "not one command: $1"; return 1; }
	cd "$COPY" || return
	run bash -c "$command"
	echo "$command: $status: $output"
}

@test "the file of the page is built and listed" {
	step 'list locks$'
	[ "$status" -eq 0 ]
	[[ $output == *"myticket "*"exclusive"*"fifo, spins"* ]]
}

@test "the page's code is laid out as the tree's" {
	cd "$COPY"
	make -s check-format
}

@test "the tests of all locks take it" {
	step '^make check-c'
	[ "$status" -eq 0 ]
	run build/tests/test_conformance
	[[ $output == *"OK ] myticket_writer_excludes"* ]]
}

@test "the plan has its cells" {
	step 'plan configs'
	[ "$status" -eq 0 ]
	[[ $output == *myticket* ]]
}

@test "it is in the records and in a picture" {
	step 'results/myticket$'
	[ "$status" -eq 0 ]
	cd "$COPY/results/myticket"
	grep -q '"lock": *"myticket"' records.jsonl
	run grep -c '"lock": *"myticket".*"status": *"ok"\|"status": *"ok".*"lock": *"myticket"' records.jsonl
	[ "$output" -eq 6 ] # 2 thread counts, 3 repetitions
	grep -lq myticket plots/*.svg
}

@test "it moves out of the tree and comes back as a plug-in" {
	step '^mkdir'
	step '^mv'
	[ "$status" -eq 0 ]
	run "$COPY/run.sh" list locks
	[[ $output != *myticket* ]]
	step '^make plugin'
	[ "$status" -eq 0 ]
	step 'list locks --plugin'
	[ "$status" -eq 0 ]
	[[ $output == *"myticket "* ]]
	step 'results/plugin'
	[ "$status" -eq 0 ]
	grep -q '"lock": *"myticket"' "$COPY/results/plugin/records.jsonl"
	grep -lq myticket "$COPY"/results/plugin/plots/*.svg
}

@test "a plug-in exports one symbol" {
	run nm -D --defined-only "$COPY/my locks/myticket.so"
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *" latchmark_plugin" ]]
}

@test "a path of a plug-in is one of the caller's folder" {
	cd "$COPY/my locks"
	run ../run.sh list locks --plugin=myticket.so
	[ "$status" -eq 0 ]
	[[ $output == *myticket* ]]
	run ../run.sh list locks --plugin no.so
	[ "$status" -eq 2 ]
	[[ $output == *"no.so: No such file"* ]]
}

@test "a plug-in of another ABI is refused" {
	cd "$COPY"
	cp "my locks/myticket.so" kept.so
	make -s plugin LOCK="my locks/myticket.c" EXTRA=-DPLUGIN_ABI=7
	run ./run.sh list locks --plugin "my locks/myticket.so"
	mv kept.so "my locks/myticket.so"
	[ "$status" -eq 2 ]
	abi=$(sed -n 's/#define LATCHMARK_ABI //p' harness/cell.h)
	# the words that the page shows
	[[ $output == *"is built for ABI 7, this latchmark has ABI $abi: rebuild it"* ]]
	[[ $(cat "$PAGE") == *"is built for ABI 7, this latchmark has ABI $abi: rebuild it"* ]]
}

@test "a plug-in whose name is taken is refused" {
	cd "$COPY"
	./run.sh list locks --plugin "my locks/myticket.so"
	run ./run.sh list locks --plugin "my locks/myticket.so" --plugin "my locks/myticket.so"
	[ "$status" -eq 2 ]
	[[ $output == *"'myticket' exists already"* ]]
}

@test "what is no plug-in is refused" {
	cd "$COPY"
	run ./run.sh list locks --plugin README.md
	[ "$status" -eq 2 ]
	echo 'int nothing;' | gcc -shared -fPIC -x c - -o empty.so
	run ./run.sh list locks --plugin ./empty.so
	[ "$status" -eq 2 ]
	[[ $output == *"exports no latchmark_plugin"* ]]
}
