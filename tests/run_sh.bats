#!/usr/bin/env bats
# The front door: what it installs, when it builds, what it hands over.

load tree

setup_file() {
	export COPY="$BATS_FILE_TMPDIR/a tree"
	copy_tree "$COPY"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	FAKES=$BATS_TEST_TMPDIR/fakes
	mkdir "$FAKES"
}

# fake NAME…: programs that note how they were called, and do nothing.
fake() {
	local name
	for name; do
		# shellcheck disable=SC2016 # expanded when the fake runs
		printf '#!/bin/sh\necho "%s $*" >>"%s/called"\n' "$name" "$FAKES" >"$FAKES/$name"
		chmod +x "$FAKES/$name"
	done
}

# A path without compiler, make, gnuplot, sudo and package manager.
bare_path() {
	local name
	for name in bash sh cat dirname readlink find touch mkdir mv rm tail nproc flock env; do
		ln -s "$(command -v $name)" "$FAKES/$name"
	done
}

# user NUMBER: who run.sh believes to be called by.
user() {
	printf '#!/bin/sh\necho %d\n' "$1" >"$FAKES/id"
	chmod +x "$FAKES/id"
}

# A tree in which nothing was ever done.
untouched() {
	mkdir -p "$BATS_TEST_TMPDIR/new"
	cp -a "$COPY"/{run.sh,VERSION,Makefile,harness,locks,workloads,plots,tests} "$BATS_TEST_TMPDIR/new/"
	NEW=$BATS_TEST_TMPDIR/new
}

@test "help goes to stdout, no argument is a fault" {
	run "$COPY/run.sh" --help
	[ "$status" -eq 0 ]
	[[ $output == *"./run.sh CONFIG"*"exit codes"* ]]
	run "$COPY/run.sh"
	[ "$status" -eq 2 ]
}

@test "the version needs no build" {
	untouched
	run "$NEW/run.sh" --version
	[ "$status" -eq 0 ]
	[ "$output" = "latchmark $(cat "$TREE/VERSION")" ]
	[ ! -e "$NEW/build" ]
}

@test "works from another folder, through a link, with spaces in the path" {
	ln -s "$COPY/run.sh" "to the tree"
	run "./to the tree" list locks
	[ "$status" -eq 0 ]
	[[ $output == *pthread_mutex* ]]
}

@test "a second call calls no compiler, make or package manager" {
	fake make gcc apt-get dnf zypper pacman sudo
	PATH=$FAKES:$PATH run "$COPY/run.sh" list workloads
	[ "$status" -eq 0 ]
	[[ $output == rwmix* || $output == *$'\n'rwmix* ]]
	[ ! -e "$FAKES/called" ]
}

@test "a changed source is built before anything else" {
	fake make
	untouched
	cp -a "$COPY/build" "$NEW/"
	touch "$NEW/locks/none.c"
	PATH=$FAKES:$PATH run "$NEW/run.sh" list locks
	[ "$status" -eq 0 ]
	[[ $(cat "$FAKES/called") == make\ * ]]
}

@test "a lock that was taken away is gone" {
	untouched
	cp -a "$COPY/build" "$NEW/"
	rm "$NEW/locks/pthread_spin.c"
	run "$NEW/run.sh" list locks
	[ "$status" -eq 0 ]
	[[ $output == *pthread_mutex* ]]
	[[ $output != *pthread_spin* ]]
}

@test "the build's log is hidden, unless the build fails" {
	untouched
	cp -a "$COPY/build" "$NEW/"
	echo 'int x = ;' >>"$NEW/locks/none.c"
	run "$NEW/run.sh" list locks
	[ "$status" -eq 2 ]
	[[ $output == *"locks/none.c"*error* ]]
	[[ $output == *"$NEW/build/build.log"* ]]
	[ -s "$NEW/build/build.log" ]
}

@test "neither root nor sudo: one command to run, and exit 2" {
	untouched
	bare_path
	user 1000
	fake apt-get
	PATH=$FAKES run "$NEW/run.sh" configs/quick.conf
	[ "$status" -eq 2 ]
	[[ $output == *"apt-get install"*libhwloc-dev* ]]
	[ ! -e "$FAKES/called" ]
}

@test "--no-install installs nothing, wherever it stands" {
	untouched
	bare_path
	user 0
	fake apt-get
	PATH=$FAKES run "$NEW/run.sh" list locks --no-install
	[ "$status" -eq 2 ]
	[[ $output == *gnuplot-nox* ]]
	[ ! -e "$FAKES/called" ]
}

@test "every package manager gets its own names" {
	untouched
	bare_path
	user 0
	for wanted in "dnf install -y:numactl-devel" "zypper --non-interactive install:libnuma-devel" \
		"pacman -Sy --needed --noconfirm:numactl"; do
		fake "${wanted%% *}"
		PATH=$FAKES run "$NEW/run.sh" --no-install list
		[ "$status" -eq 2 ]
		[[ $output == *"${wanted%:*} gcc"*" ${wanted#*:} "* ]]
		rm "$FAKES/${wanted%% *}"
	done
	PATH=$FAKES run "$NEW/run.sh" list
	[ "$status" -eq 2 ]
	[[ $output == *"by hand"* ]]
}

@test "root gets what is missing, with no question asked" {
	untouched
	cp -a "$COPY/build" "$NEW/"
	rm "$NEW/build/.brought-run"
	bare_path
	user 0
	# shellcheck disable=SC2016 # expanded when the fake runs
	printf '#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >>"%s/called"\n' "$FAKES" >"$FAKES/apt-get"
	chmod +x "$FAKES/apt-get"
	PATH=$FAKES run "$NEW/run.sh" list
	[ "$status" -eq 0 ]
	[[ $(cat "$FAKES/called") == *"noninteractive install -y --no-install-recommends gcc libc6-dev"* ]]
	[[ $(cat "$FAKES/called") == *"noninteractive update"* ]]
}

@test "an installation that fails is told, with its log" {
	untouched
	bare_path
	user 0
	printf '#!/bin/sh\necho no such mirror; exit 100\n' >"$FAKES/apt-get"
	chmod +x "$FAKES/apt-get"
	PATH=$FAKES run "$NEW/run.sh" list
	[ "$status" -eq 2 ]
	[[ $output == *"no such mirror"*"$NEW/build/install.log"* ]]
	[ ! -e "$NEW/build/.brought-run" ]
}

@test "an unknown verb is named" {
	run "$COPY/run.sh" plto
	[ "$status" -eq 2 ]
	[[ $output == *"no verb 'plto'"* ]]
}
