#!/usr/bin/env bats
# The machine code of the hot loops: no call of a lock's operation, direct or
# indirect, by either compiler; and that the test for it can fail.

load tree

setup_file() {
	cd "$TREE" || return
	make -s -j2 BUILD="$BUILT" cells
	command -v clang >/dev/null && make -s -j2 CC=clang BUILD="$BUILT/clang" cells
	return 0
}

setup() {
	cd "$TREE" || return
	command -v objdump >/dev/null || skip "needs objdump"
}

needs() {
	command -v "$1" >/dev/null || skip "needs $1"
}

# every inlined cell of a build folder
inlined_cells() {
	find "$1/cells" -name '*.o' ! -name 'outline@*'
}

# spoilt CC NAME SED: a cell of pthread_mutex after an edit of its file
spoilt() {
	mkdir -p "$BATS_TEST_TMPDIR/locks"
	sed "$3" locks/pthread_mutex.c >"$BATS_TEST_TMPDIR/locks/$2.c"
	! cmp -s locks/pthread_mutex.c "$BATS_TEST_TMPDIR/locks/$2.c" || return 1
	"$1" -std=gnu17 -D_GNU_SOURCE -O2 -Iharness -Ilocks -Wno-missing-field-initializers \
		-DLOCK_FILE="\"$BATS_TEST_TMPDIR/locks/$2.c\"" \
		-DWORKLOAD_FILE='"../workloads/rwmix.c"' \
		-c -o "$BATS_TEST_TMPDIR/$2.o" harness/cell.c
}

@test "gcc: every operation of every inlined cell is folded into its loop" {
	mapfile -t cells < <(inlined_cells "$BUILT")
	[ "${#cells[@]}" -gt 0 ]
	tests/inlined "${cells[@]}"
}

@test "clang: every operation of every inlined cell is folded into its loop" {
	needs clang
	mapfile -t cells < <(inlined_cells "$BUILT/clang")
	[ "${#cells[@]}" -gt 0 ]
	tests/inlined "${cells[@]}"
}

@test "gcc: a table that lost its const is told" {
	spoilt gcc nonconst 's/^static const struct lock_ops/static struct lock_ops/'
	run tests/inlined "$BATS_TEST_TMPDIR/nonconst.o"
	[ "$status" -eq 1 ]
	[[ $output == *"indirect: call"* ]]
}

@test "clang: a table that lost its const is told" {
	needs clang
	spoilt clang nonconst 's/^static const struct lock_ops/static struct lock_ops/'
	run tests/inlined "$BATS_TEST_TMPDIR/nonconst.o"
	[ "$status" -eq 1 ]
	[[ $output == *"indirect: call"* ]]
}

@test "an operation that is not HOT is told by its name" {
	spoilt gcc not_hot 's/^HOT void pthread_mutex_release/static __attribute__((noinline)) void pthread_mutex_release/'
	run tests/inlined "$BATS_TEST_TMPDIR/not_hot.o"
	[ "$status" -eq 1 ]
	[[ $output == *"calls pthread_mutex_release, an operation of the lock"* ]]
}

@test "an outline cell has no lock's table, and is refused" {
	run tests/inlined "$BUILT/cells/outline@rwmix.o"
	[ "$status" -eq 1 ]
	[[ $output == *"is it an inlined cell?"* ]]
}
