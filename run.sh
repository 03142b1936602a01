#!/usr/bin/env bash
# run.sh - the front door: brings what is missing, builds, and hands over to
# build/latchmark. Only the first call does so; a later one looks at two stamps.
set -u
unset CDPATH
tree=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
build=$tree/build
install=yes quiet=no

usage() {
	cat <<'EOF'
usage: ./run.sh CONFIG [OPTION…]        measure, and plot what was measured
       ./run.sh VERB [ARGUMENT…]

verbs (each explains itself with --help):
  plan CONFIG         every cell of a configuration, and the time it will take
  resume DIR          go on with a run that was ended
  show DIR            the table and the graph of a results folder, on the terminal
  plot DIR            make the pictures again, from the records alone
  compare BASE NEW    what changed between two results folders
  list [locks|workloads|machine|counters]
  machine             what this machine is, as latchmark sees it
  check               run all tests (make check)

options:
  -o DIR              name the results folder
  --set KEY=VALUE     override a setting of the configuration
  --plugin FILE.so    add the lock of a plug-in
  --strict            refuse to measure on a machine that is not quiet
  -q, -v              say less, say more
  --no-install        never install anything; say what is missing instead
  --version, --help

exit codes: 0 fine, 1 a regression gate failed, 2 usage, configuration or
something missing, 3 some cells failed or could not run, 4 the machine was
refused, 130 interrupted (resumable)
EOF
}

say() {
	[ $quiet = yes ] || printf 'run.sh: %s\n' "$*" >&2
}

die() {
	printf 'run.sh: %s\n' "$*" >&2
	exit 2
}

# What latchmark itself (run) and its tests (test) need: how to see that it is
# there, and the packages by apt, dnf, zypper and pacman.
needs() {
	cat <<'EOF'
run  gcc          stdio.h:c         gcc,libc6-dev     gcc,glibc-devel   gcc,glibc-devel  gcc
run  make         make              make              make              make             make
run  hwloc        hwloc.h:hwloc     libhwloc-dev      hwloc-devel       hwloc-devel      hwloc
run  libnuma      numa.h:numa       libnuma-dev       numactl-devel     libnuma-devel    numactl
run  PAPI         papi.h:papi       libpapi-dev       papi-devel        papi-devel       papi
run  libconfuse   confuse.h:confuse libconfuse-dev    libconfuse-devel  libconfuse-devel confuse
run  jansson      jansson.h:jansson libjansson-dev    jansson-devel     libjansson-devel jansson
run  gnuplot      gnuplot           gnuplot-nox       gnuplot           gnuplot          gnuplot
test cmocka       -cmocka           libcmocka-dev     libcmocka-devel   libcmocka-devel  cmocka
test bats         bats              bats              bats              bats             bash-bats
test shellcheck   shellcheck        shellcheck        ShellCheck        ShellCheck       shellcheck
test clang        clang             clang             clang             clang            clang
test clang-format clang-format      clang-format      clang-tools-extra clang-tools      clang
test rsvg-convert rsvg-convert      librsvg2-bin      librsvg2-tools    rsvg-convert     librsvg
test objdump      objdump           binutils          binutils          binutils         binutils
EOF
}

# A header and its library are there when a program can be linked with them.
has() {
	local includes=
	case $1 in
	*:*) includes="#include <${1%:*}>" ;;
	-*) ;;
	*) command -v "$1" >/dev/null; return ;;
	esac
	printf '%s\nint main(void) { return 0; }\n' "$includes" |
		gcc -x c - "-l${1##*[:-]}" -o /dev/null 2>/dev/null
}

# bring KIND…: installs what is missing of these kinds.
bring() {
	local kind name sign by_manager manager='' column=0 command prefix=() all log
	local names=() packages=() managers=(apt-get dnf zypper pacman) i

	for i in "${!managers[@]}"; do
		if command -v "${managers[i]}" >/dev/null; then
			manager=${managers[i]} column=$i
			break
		fi
	done
	while read -r kind name sign by_manager; do
		case " $* " in *" $kind "*) ;; *) continue ;; esac
		has "$sign" && continue
		read -ra by_manager <<<"$by_manager"
		names+=("$name") packages+=("${by_manager[column]//,/ }")
	done < <(needs)
	[ ${#names[@]} -eq 0 ] && return

	[ -n "$manager" ] ||
		die "missing: ${names[*]}; no apt, dnf, zypper or pacman here: install them by hand"
	all=${packages[*]}
	case $manager in
	# a broken list of somebody else's packages must not stop ours
	apt-get) command="apt-get update; apt-get install -y --no-install-recommends $all" ;;
	dnf) command="dnf install -y $all" ;;
	zypper) command="zypper --non-interactive install $all" ;;
	pacman) command="pacman -Sy --needed --noconfirm $all" ;;
	esac
	if [ "$(id -u)" -ne 0 ]; then
		if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
			prefix=(sudo)
		else
			install=no
		fi
	fi
	if [ $install = no ]; then
		printf 'run.sh: missing: %s; this brings it, as root:\n\n    %s\n\n' \
			"${names[*]}" "$command" >&2
		exit 2
	fi

	log=$build/install.log
	say "installing $all"
	if ! "${prefix[@]}" env DEBIAN_FRONTEND=noninteractive sh -c "$command" \
		</dev/null >"$log" 2>&1; then
		tail -n 20 "$log" >&2
		die "could not install; the whole log is $log"
	fi
}

# Whether a source is newer than the last build: far quicker than asking make.
stale() {
	[ ! -x "$build/latchmark" ] || [ ! -e "$build/.built" ] || [ -n "$(
		find "$tree"/{harness,locks,workloads,plots,Makefile,VERSION} \
			-newer "$build/.built" -print -quit
	)" ]
}

compile() {
	local log=$build/build.log

	say "building"
	touch "$build/.building"
	if ! make -C "$tree" BUILD=build -j"$(nproc)" all </dev/null >"$log" 2>&1; then
		tail -n 30 "$log" >&2
		return 1
	fi
	mv "$build/.building" "$build/.built"
}

# once STAMP COMMAND…: one at a time, and never again once it went well.
once() {
	local stamp=$build/$1
	shift
	[ -e "$stamp" ] && return
	"$@" && touch "$stamp"
}

prepare() {
	[ -e "$build/.brought-run" ] && ! stale && return
	mkdir -p "$build" || die "cannot write to $build"
	(
		! command -v flock >/dev/null || flock 9
		once .brought-run bring run
		if stale && ! compile; then
			# perhaps something was removed since it was last looked for
			rm -f "$build/.brought-run"
			once .brought-run bring run
			compile || die "could not build; the whole log is $build/build.log"
		fi
	) 9>"$build/.lock" || exit 2
}

args=()
for arg; do
	case $arg in
	--no-install) install=no ;;
	-q) quiet=yes args+=("$arg") ;;
	*) args+=("$arg") ;;
	esac
done
case ${args[0]-} in
'')
	usage >&2
	exit 2
	;;
-h | --help)
	usage
	exit
	;;
--version)
	echo "latchmark $(cat "$tree/VERSION")"
	exit
	;;
--bring-test-tools | check)
	mkdir -p "$build" || die "cannot write to $build"
	once .brought-test bring run test
	[ "${args[0]}" = check ] || exit 0
	exec make -C "$tree" check
	;;
esac
prepare
exec "$build/latchmark" "${args[@]}"
