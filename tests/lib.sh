# What the case-* scripts share: a private directory, and checks that say what went wrong. To be sourced.
set -u
# OWN_RUN=yes beforehand: a script of root's has a /run of its own, so that other runs do not put back what it leaves.
if [ "${OWN_RUN:-}" = yes ] && [ "$(id -u)" -eq 0 ]; then
	OWN_RUN=made exec unshare -m bash -c 'mount -t tmpfs -o mode=755 none /run && exec "$0"' "$0"
fi
BIN=${BIN:-$PWD/vmstat-bench}
ROOT=$PWD
WORK=$(mktemp -d)
mounted=()

cleanup() {
	for dir in "${mounted[@]}"; do umount "$dir"; done
	rm -rf "$WORK"
}
trap cleanup EXIT
cd "$WORK" || exit 3

fail() {
	echo "$*"
	exit 1
}

skip() {
	echo "$*"
	exit 77
}

# expect STATUS TEXT COMMAND...: the command exits with STATUS and one line of its standard error holds TEXT; such a
# line names the program and is no longer than a screen, and nothing is on standard output unless STATUS is 0 or 4.
expect() {
	local status=$1 text=$2 got
	shift 2
	"$@" >out 2>err </dev/null
	got=$?
	[ $got -eq "$status" ] || fail "$*: exit status $got, not $status: $(cat err)"
	grep -qF -- "$text" err || fail "$*: no '$text' in: $(cat err)"
	case $status in 0 | 4) ;; *) [ ! -s out ] || fail "$*: output beside an error: $(head -c 300 out)" ;; esac
}

# mount_tmp DIR OPTION...: a tmpfs, unmounted at the end.
mount_tmp() {
	local dir=$1
	shift
	mkdir -p "$dir"
	mount -t tmpfs "$@" none "$dir" && mounted=("$PWD/$dir" "${mounted[@]}")
}
