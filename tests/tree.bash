# tree.bash - what bats files share: a copy of the tree to spoil, already built.
# shellcheck shell=bash
# shellcheck disable=SC2016 # back quotes of Markdown

TREE=$(dirname "$BATS_TEST_DIRNAME")
case ${BUILD:=build} in /*) ;; *) BUILD=$TREE/$BUILD ;; esac

# copy_tree DIR: the tree as it is, with what is built of it, at DIR.
copy_tree() {
	mkdir -p "$1/build"
	tar -C "$TREE" --exclude=./.git --exclude=./build --exclude=./results -cf - . |
		tar -C "$1" -xf -
	cp -a "$BUILD/latchmark" "$BUILD/objects.list" "$BUILD/harness" "$BUILD/cells" "$1/build/"
	# built elsewhere, the list of objects names another folder
	sed "s|$(sed 's|/harness/.*||' "$BUILD/objects.list")/|build/|g" \
		"$BUILD/objects.list" >"$1/build/objects.list"
	touch -r "$BUILD/objects.list" "$1/build/objects.list"
	touch "$1/build/.brought-run" "$1/build/.brought-test" "$1/build/.built"
}

# blocks LANGUAGE FILE: what stands in the fenced blocks of that language.
blocks() {
	awk -v opening="\`\`\`$1" '/^```/ { on = $0 == opening; next } on' "$2"
}
