# tree.bash - what bats files share: a copy of the tree to spoil, already built.
# shellcheck shell=bash
# shellcheck disable=SC2016 # back quotes of Markdown

TREE=$(dirname "$BATS_TEST_DIRNAME")
if [ -z "${BUILT:-}" ]; then
	case ${BUILD:=build} in /*) BUILT=$BUILD ;; *) BUILT=$TREE/$BUILD ;; esac
	export BUILT
fi
# a make in the copy must not hear of the make that runs the tests
unset BUILD MAKEFLAGS MFLAGS MAKELEVEL

# copy_tree DIR: the tree as it is, with what is built of it, at DIR.
copy_tree() {
	mkdir -p "$1/build"
	tar -C "$TREE" --exclude=./.git --exclude=./build --exclude=./results -cf - . |
		tar -C "$1" -xf -
	cp -a "$BUILT/latchmark" "$BUILT/objects.list" "$BUILT/harness" "$BUILT/cells" "$BUILT/events" "$1/build/"
	# built elsewhere, the list of objects names another folder
	sed "s|$(sed 's|/harness/.*||' "$BUILT/objects.list")/|build/|g" \
		"$BUILT/objects.list" >"$1/build/objects.list"
	touch -r "$BUILT/objects.list" "$1/build/objects.list"
	touch "$1/build/.brought-run" "$1/build/.brought-test" "$1/build/.built"
}

# blocks LANGUAGE FILE: what stands in the fenced blocks of that language.
blocks() {
	awk -v opening="\`\`\`$1" '/^```/ { on = $0 == opening; next } on' "$2"
}
