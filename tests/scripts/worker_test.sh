#!/usr/bin/env bash
# Tests that Ctrl-C ends `redtune tune` although its worker process is stopped, that what was measured is kept, and that
# no process is left. A recording is replayed by a worker process.
# Usage: worker_test.sh REDTUNE, the built program
set -euo pipefail
redtune=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export REDTUNE_CACHE=$scratch/cache
# All candidates are measured, so that the sweep is far from its end when the test finds that it has begun.
tune=("$redtune" tune --worker --device replay:nvidia-h200 --size 1Ki..256Ki --between 0 --checks 0
    --db "$scratch/test.db" --format csv)
# shellcheck source=tests/scripts/sweep_processes.sh
source "$(dirname "${BASH_SOURCE[0]}")/sweep_processes.sh"

# worker_of PROCESS: prints the id of its only child process.
worker_of() {
    local worker
    worker=$(children_of "$1")
    [[ $worker =~ ^[0-9]+$ ]] || fail "the program has not one child but '$worker'"
    echo "$worker"
}
has_measured() {
    grep -qs '^n = ' "$scratch/error"
}

# A program started in the background by a script ignores SIGINT, so env restores the signal.
env --default-signal=INT "${tune[@]}" >"$scratch/out" 2>"$scratch/error" &
program=$!
await has_measured
worker=$(worker_of "$program")
kill -STOP "$worker"
sleep 0.5
kill -0 "$program" || fail "the sweep ended before its worker was stopped"
kill -INT "$program"
code=0
wait "$program" || code=$?
[[ $code == 130 ]] || fail "the exit code is $code, not 130"
grep -q 'Interrupted. [1-9][0-9]* measurements are kept' "$scratch/error" || fail "nothing is kept"
await has_ended "$worker"

# A worker that was killed is replaced, and costs one trial.
# has_measured must not find what the first sweep wrote.
rm "$scratch/error"
"${tune[@]}" >"$scratch/killed.csv" 2>"$scratch/error" &
program=$!
await has_measured
worker=$(worker_of "$program")
kill -KILL "$worker"
code=0
wait "$program" || code=$?
[[ $code == 5 ]] || fail "the exit code after a lost trial is $code, not 5"
[[ $(grep -c 'failed and is left out: fault: the worker process was killed by signal 9' "$scratch/error") == 1 ]] ||
    fail "no line says what was lost"
[[ $(wc -l <"$scratch/killed.csv") == 10 ]] || fail "not all 9 sizes have a winner"
