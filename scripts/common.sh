# Functions that all scripts of this folder source. Changes to the project's root. All messages go to stderr: stdout is
# left to the program that a script runs.
# shellcheck shell=bash

caller=$PWD  # the folder that paths among a script's arguments are relative to
cd -P "$(dirname "${BASH_SOURCE[0]}")/.." || exit

say() { printf 'redtune: %s\n' "$*" >&2; }

fail() {
    say "$@"
    exit 1
}

# print_help_if_asked ARGUMENT...: if the first argument is --help or -h, prints the comment at the beginning of the script
# and exits.
print_help_if_asked() {
    case ${1:-} in
    --help | -h)
        sed -n '2,/^[^#]/ { s/^# \{0,1\}//p; }' "scripts/${0##*/}"
        exit 0
        ;;
    esac
}

# from_caller PATH: prints PATH, which may be relative to the caller's folder, as an absolute path.
from_caller() {
    case $1 in
    /*) echo "$1" ;;
    *) echo "$caller/$1" ;;
    esac
}

# with_lock NAME COMMAND...: runs COMMAND while no other process runs a command under the same NAME. The subshell closes
# the lock's file descriptor when COMMAND ends.
with_lock() {
    local name=$1
    shift
    mkdir -p build
    (
        if ! flock --timeout 2 9; then
            say "waiting for another start that holds build/$name.lock"
            flock 9
        fi
        "$@"
    ) 9>"build/$name.lock"
}

# logged LOG WHAT COMMAND...: runs COMMAND with its output in LOG. If COMMAND fails, shows the end of LOG.
logged() {
    local log=$1 what=$2
    shift 2
    if ! "$@" >"$log" 2>&1 </dev/null; then
        say "$what failed; the end of $log:"
        tail -n 40 "$log" >&2
        return 1
    fi
}
