# Shared by the scripts of this folder; to be sourced. Leaves the shell in the project's root. All messages go
# to stderr: stdout belongs to what a script runs.
# shellcheck shell=bash

cd -P "$(dirname "${BASH_SOURCE[0]}")/.." || exit

say() { printf 'redtune: %s\n' "$*" >&2; }

fail() {
    say "$@"
    exit 1
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
