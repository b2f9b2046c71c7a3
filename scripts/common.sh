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

# show_steps LOG: shows on the terminal, each second, how far a build is: the last [DONE/ALL] that Ninja wrote to LOG. Ends
# with the script, which Ctrl-C may end before it ends this.
show_steps() {
    local steps
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        steps=$(grep -oE '^\[[0-9]+/[0-9]+\]' "$1" | tail -n 1)
        printf '\r%s ' "$steps" >&2
    done
}

# logged LOG WHAT COMMAND...: runs COMMAND with its output in LOG. If COMMAND fails, shows the end of LOG.
logged() {
    local log=$1 what=$2 status=0 shown=''
    shift 2
    : >"$log"
    if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then
        show_steps "$log" &
        shown=$!
    fi
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [[ -n $shown ]]; then
        kill "$shown" 2>/dev/null || true
        wait "$shown" 2>/dev/null || true
        printf '\r\033[K' >&2
    fi
    if ((status != 0)); then
        say "$what failed; the end of $log:"
        tail -n 40 "$log" >&2
        return 1
    fi
}
