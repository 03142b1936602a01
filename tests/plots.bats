#!/usr/bin/env bats
# Pictures, page, table and comparison of made-up results.

# shellcheck disable=SC2016 # back quotes and $() are names here

load tree
bats_require_minimum_version 1.5.0

setup_file() {
	export MADE="$BATS_FILE_TMPDIR/it's \"a\" \$(touch pwned) \`touch pwned\`; folder"
	mkdir "$BATS_FILE_TMPDIR/home"
	cd "$BATS_FILE_TMPDIR/home" || return
	"$TREE/tests/made-up-records" "$MADE"
	"$BUILT/latchmark" plot "$MADE" --pdf >"$BATS_FILE_TMPDIR/out" 2>"$BATS_FILE_TMPDIR/err"
	echo $? >"$BATS_FILE_TMPDIR/rc"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

latchmark() {
	"$BUILT/latchmark" "$@"
}

# made DIR ARGUMENT…: another results folder
made() {
	"$TREE/tests/made-up-records" "$@"
}

@test "a folder with any name is plotted, without a word on stderr" {
	[ "$(cat "$BATS_FILE_TMPDIR/rc")" -eq 0 ]
	[ "$(cat "$BATS_FILE_TMPDIR/out")" = "$MADE/plots/index.html" ]
	cat "$BATS_FILE_TMPDIR/err"
	[ ! -s "$BATS_FILE_TMPDIR/err" ]
}

@test "nothing is written outside DIR/plots" {
	run ls -A "$BATS_FILE_TMPDIR/home"
	[ -z "$output" ]
	run ls "$MADE"
	[ "$output" = "host.json
plots
records.jsonl" ]
}

@test "every kind of picture is there, as svg, png and pdf" {
	local kind
	for kind in throughput multiples dots latency fairness time counters heat; do
		compgen -G "$BATS_FILE_TMPDIR/it*/plots/$kind-*.svg" >/dev/null || {
			echo "no $kind" && false
		}
	done
	cd "$MADE/plots"
	local svgs=(*.svg)
	[ ${#svgs[@]} -gt 40 ]
	for svg in *.svg; do
		[ "$(head -c 4 "${svg%.svg}.png" | tail -c 3)" = PNG ]
		[ "$(head -c 4 "${svg%.svg}.pdf")" = %PDF ]
	done
}

@test "every svg can be drawn by another program" {
	command -v rsvg-convert >/dev/null || skip "no rsvg-convert"
	cd "$MADE/plots"
	for svg in *.svg; do
		rsvg-convert -w 200 -o "$BATS_TEST_TMPDIR/one.png" "$svg"
	done
}

@test "a picture names its locks, what failed, and on what it rests" {
	local svg="$MADE/plots/throughput-mix-read_pct-95.svg"
	grep -q '>rwsem_xadd<' "$svg"
	grep -q 'pthread_spin — hung' "$svg"
	grep -q 'bad_lock — violated' "$svg"
	grep -q 'pthread_rwlock — 1 of 5 crashed' "$svg"
	grep -q 'median of 4 to 5 runs of 300 ms' "$svg"
	grep -q '2 runs at another distance of the CPUs left out' "$svg"
	grep -q 'more threads than CPUs' "$svg"
	grep -q 'Made-up processor, 2 CPUs' "$svg"
}

@test "the page has all pictures inside, and wants nothing from elsewhere" {
	cd "$MADE/plots"
	local svgs=(*.svg)
	[ "$(grep -c '<svg' index.html)" -eq ${#svgs[@]} ]
	run ! grep -oE '(src|href)="?(https?:|//|/)[^"> ]*' index.html
	run ! grep -q '<script' index.html
	# names of parts are unique, and what is referred to is there
	grep -oE "\bid=[\"'][^\"']*" index.html | sed "s/^id=.//" | sort >"$BATS_TEST_TMPDIR/ids"
	[ -z "$(uniq -d "$BATS_TEST_TMPDIR/ids")" ]
	grep -oE "(href=[\"']#|url\(#)[^\"')]*" index.html | sed 's/.*#//' | sort -u |
		comm -23 - "$BATS_TEST_TMPDIR/ids" >"$BATS_TEST_TMPDIR/missing"
	[ ! -s "$BATS_TEST_TMPDIR/missing" ]
	while read -r link; do
		[ -s "$link" ]
	done < <(grep -oE 'href="[^#"][^"]*' index.html | sed 's/href="//' | sort -u)
	[ "$(wc -c <index.html)" -lt 5000000 ]
}

@test "a copied folder gives the same numbers again" {
	cp -r "$MADE" copy
	rm -r copy/plots
	latchmark plot copy
	diff -r "$MADE/plots/data" copy/plots/data
}

@test "pictures of records that are gone go too" {
	made some experiments=one
	mkdir -p some/plots
	touch some/plots/throughput-old.svg some/plots/mine.txt
	latchmark plot some
	[ ! -e some/plots/throughput-old.svg ]
	[ -e some/plots/mine.txt ]
}

@test "a picture can be drawn again with gnuplot alone" {
	cp -r "$MADE" copy
	rm copy/plots/*.svg
	cd copy/plots/data
	gnuplot throughput-mix-read_pct-95.gp
	[ -s ../throughput-mix-read_pct-95.svg ]
}

@test "odd names of locks and experiments do no harm" {
	made odd experiments=mix,one
	sed -i 's/"ticket"/"t`touch pwned`$(touch pwned)\x27\\"%s{\/:Bold x}<b>\&"/g
		s/"experiment":"one"/"experiment":"..\/..\/o`id` <i>ne"/' odd/records.jsonl
	run latchmark plot odd
	[ "$output" = odd/plots/index.html ]
	[ ! -e pwned ] && [ ! -e odd/plots/pwned ] && [ ! -e odd/plots/data/pwned ]
	grep -q 't`touch pwned`$(touch pwned)' odd/plots/throughput-mix-read_pct-95.svg
	run ! grep -q '<i>ne' odd/plots/index.html
	[ "$(ls -A)" = odd ]
}

@test "three repetitions: no interval is claimed anywhere" {
	made three reps=3 experiments=mix
	latchmark plot three
	grep -q 'fewer than 5 runs: no interval' three/plots/throughput-mix-read_pct-95.svg
	run ! grep -q 'bootstrap interval' three/plots/throughput-mix-read_pct-95.svg
	grep -q 'too few runs to claim it' three/plots/heat-baseline.svg
	grep -q '3 runs: no interval' three/plots/index.html
}

@test "no records, and nothing that went well, are pages too" {
	mkdir empty && : >empty/records.jsonl
	latchmark plot empty
	grep -q 'no records' empty/plots/index.html
	made hung experiments=one
	sed -i 's/"status":"ok"/"status":"hung"/; s/"throughput":[0-9.]*/"throughput":null/' \
		hung/records.jsonl
	run latchmark plot hung
	[ "$output" = hung/plots/index.html ]
	grep -q 'hung' hung/plots/index.html
}

@test "show prints the medians, the faults and a graph" {
	run latchmark show "$MADE"
	[ "$status" -eq 0 ]
	[[ $output == *"pthread_spin"*"hung"* ]]
	[[ $output == *"more threads than CPUs"* ]]
	[[ $output == *"two heaps"* ]]
	[[ $output == *"threads"*"A none"* || $output == *"A none"*"threads"* ]]
}

@test "without gnuplot the table is there, and plot says what is missing" {
	made some experiments=mix
	mkdir bin
	PATH=$PWD/bin run "$BUILT/latchmark" show some
	[ "$status" -eq 0 ]
	[[ $output == *"rwsem_xadd"* && $output == *"gnuplot is not installed"* ]]
	PATH=$PWD/bin run "$BUILT/latchmark" plot some
	[ "$status" -eq 2 ]
	[[ $output == *"gnuplot is not installed"* ]]
}

@test "damage is named by file and line, a truncated last line is not damage" {
	made bad experiments=one
	cp -r bad cut
	sed -i '3s/"lock"/"luck"/' bad/records.jsonl
	run latchmark plot bad
	[ "$status" -eq 2 ]
	[[ $output == *"bad/records.jsonl:3: no key 'lock'"* ]]
	truncate -s -20 cut/records.jsonl
	run latchmark show cut
	[ "$status" -eq 0 ]
	[[ $output == *"cut/records.jsonl:35: warning: the last line is truncated"* ]]
}

@test "compare: the same against itself is within noise" {
	made a reps=9 whole=yes experiments=mix
	run latchmark compare a a
	[ "$status" -eq 0 ]
	[[ $output == *"0 faster, 0 slower, 64 within noise, 0 too few runs, 0 not comparable"* ]]
}

@test "compare: a slow lock is found, and only it; the gate can be set" {
	made a seed=3 reps=9 whole=yes experiments=mix
	made b seed=4 reps=9 whole=yes experiments=mix slow=rwsem_xadd
	run latchmark compare a b
	[ "$status" -eq 1 ]
	[[ $output == *"0 faster, 8 slower, 56 within noise"* ]]
	[ "$(grep -c 'rwsem_xadd.*REGRESSED' <<<"$output")" -eq 8 ]
	run latchmark compare a b --max-regress 40
	[ "$status" -eq 0 ]
	[[ $output == *"8 slower"* ]]
	run latchmark compare b a
	[ "$status" -eq 0 ]
	[[ $output == *"8 faster"* ]]
}

@test "compare: five runs are too few for 64 cells, and it says how many would do" {
	made a seed=3 whole=yes experiments=mix
	made b seed=4 whole=yes experiments=mix slow=rwsem_xadd
	run latchmark compare a b
	[ "$status" -eq 0 ]
	[[ $output == *"0 slower, 0 within noise, 64 too few runs"* ]]
	[[ $output == *"64 comparisons at alpha 0.05 want 7 repetitions on each side"* ]]
}

@test "compare: a cell that no longer ends well is a regression" {
	made a experiments=one whole=yes
	cp -r a b
	sed -i '0,/"status":"ok"/s//"status":"hung"/' b/records.jsonl
	run latchmark compare a b
	[ "$status" -eq 1 ]
	[[ $output == *"not comparable: new: 1 of 5 hung  REGRESSED"* ]]
}

@test "compare: another machine and other cells are not compared" {
	made a experiments=one whole=yes
	made b experiments=one whole=yes model="Another processor"
	run latchmark compare a b
	[ "$status" -eq 0 ]
	[[ $output == *"0 within noise, 0 too few runs, 7 not comparable"* ]]
	[[ $output == *"another processor"* ]]
	run latchmark compare a b --other-machine
	[[ $output == *"0 not comparable"* ]]
	made c experiments=rw
	run latchmark compare a c
	[ "$status" -eq 2 ]
	[[ $output == *"no cell in common"* ]]
}

@test "the verbs have help, and refuse what they do not know" {
	local verb
	for verb in plot show compare; do
		run latchmark $verb --help
		[ "$status" -eq 0 ]
		[[ $output == "usage: $verb"* ]]
		run latchmark $verb
		[ "$status" -eq 2 ]
		run latchmark $verb --nonsense
		[ "$status" -eq 2 ]
		run latchmark $verb nowhere nowhere
		[ "$status" -eq 2 ]
	done
	run latchmark compare a b --alpha 7
	[[ $output == *"--alpha wants a number from 0 to 1, not '7'"* ]]
}
