# Functions of the tests that start sweeps and end their processes; to be sourced. They read $scratch/error, the sweep's
# standard error.
# shellcheck shell=bash

# fail WHAT: says what is wrong and what the sweep printed, and ends the test.
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    cat "${scratch:?}/error" >&2
    exit 1
}

# await COMMAND...: waits until a command succeeds, for at most a minute.
await() {
    for ((i = 0; i < 600; ++i)); do
        if "$@"; then return 0; fi
        sleep 0.1
    done
    fail "waited in vain: $*"
}

# has_ended PROCESS: true if there is no such process.
has_ended() {
    ! kill -0 "$1" 2>/dev/null
}

# children_of PROCESS: prints the ids of its child processes. The name of a process, the second word of its state, is
# "(redtune)", so that the fourth word is its parent. cat goes on where a process of others ends before its state is
# read; awk would stop there.
children_of() {
    { cat /proc/[0-9]*/stat 2>/dev/null || true; } | awk -v parent="$1" '$4 == parent { print $1 }'
}

# same_winners FILE OTHER: compares two outputs of `redtune tune --format csv`. The last two columns, the time of the
# classic kernel and the speed-up over it, may differ by 3 %: they are of a screening, which is stopped earlier or later
# depending on what was measured before. All others must be the same.
same_winners() {
    diff <(sed 's/,[^,]*,[^,]*$//' "$1") <(sed 's/,[^,]*,[^,]*$//' "$2") >&2 || return 1
    paste -d , <(sed 's/^.*,\([^,]*,[^,]*\)$/\1/' "$1") <(sed 's/^.*,\([^,]*,[^,]*\)$/\1/' "$2") |
        awk -F , 'NR > 1 && ($1 / $3 > 1.03 || $3 / $1 > 1.03 || $2 / $4 > 1.03 || $4 / $2 > 1.03) { print; wrong = 1 }
                  END { exit wrong }' >&2
}
