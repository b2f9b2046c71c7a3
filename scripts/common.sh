# Shared by the scripts of this folder; to be sourced. Leaves the shell in the project's root. All messages go
# to stderr: stdout belongs to what a script runs.
# shellcheck shell=bash

caller=$PWD  # the folder that paths among a script's arguments are relative to
cd -P "$(dirname "${BASH_SOURCE[0]}")/.." || exit

say() { printf 'redtune: %s\n' "$*" >&2; }

fail() {
    say "$@"
    exit 1
}

# print_help_if_asked ARGUMENT...: where the first argument is --help or -h, prints the comment that the script begins with,
# and ends it.
print_help_if_asked() {
    case ${1:-} in
    --help | -h)
        sed -n '2,/^[^#]/ { s/^# \{0,1\}//p; }' "scripts/${0##*/}"
        exit 0
        ;;
    esac
}

# from_caller PATH: prints a path that was given relative to the caller's folder as one that is right everywhere.
from_caller() {
    case $1 in
    /*) echo "$1" ;;
    *) echo "$caller/$1" ;;
    esac
}

# with_lock NAME COMMAND...: runs COMMAND while no other process runs one under the same NAME. The lock's file
# descriptor is closed for COMMAND's children by ending the subshell, so it never outlives COMMAND.
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

# logged LOG WHAT COMMAND...: runs COMMAND with its output in LOG, whose end is shown when COMMAND fails.
logged() {
    local log=$1 what=$2
    shift 2
    if ! "$@" >"$log" 2>&1 </dev/null; then
        say "$what failed; the end of $log:"
        tail -n 40 "$log" >&2
        return 1
    fi
}
