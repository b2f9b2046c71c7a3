#!/usr/bin/env bash
# Tests `redtune tune` on several devices: two workers that replay a recording share one search and find what one finds; a
# worker that is killed costs one candidate; Ctrl-C ends both, and the same command continues.
# Usage: several_devices_test.sh REDTUNE, the built program
set -euo pipefail
redtune=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export REDTUNE_CACHE=$scratch/cache
# All candidates are measured, so that a sweep is far from its end when the test finds that it has begun.
options=(--size 1Ki..64Ki --between 0 --checks 0 --format csv)
two=(--device "replay:nvidia-h200,replay:nvidia-h200")
# shellcheck source=tests/scripts/sweep_processes.sh
source "$(dirname "${BASH_SOURCE[0]}")/sweep_processes.sh"
both_have_measured() {
    grep -qs '^replay:nvidia-h200 (1): n = ' "$scratch/error" && grep -qs '^replay:nvidia-h200 (2): n = ' "$scratch/error"
}
# start DATABASE: starts a sweep by two workers in the background, as $program. A program started in the background by a
# script ignores SIGINT, so env restores the signal.
start() {
    rm -f "$scratch/error"
    env --default-signal=INT "$redtune" tune "${two[@]}" "${options[@]}" --db "$scratch/$1" >"$scratch/out" \
        2>"$scratch/error" &
    program=$!
}
# end_with CODE: waits for the end of $program.
end_with() {
    local code=0
    wait "$program" || code=$?
    [[ $code == "$1" ]] || fail "the exit code is $code, not $1"
}
# screenings DATABASE: prints how many candidates were screened.
screenings() {
    sqlite3 "$scratch/$1" "SELECT count(*) FROM measurements WHERE stage = 'screen'"
}

"$redtune" tune --device replay:nvidia-h200 "${options[@]}" --db "$scratch/one.db" >"$scratch/one.csv" 2>"$scratch/error"
"$redtune" tune "${two[@]}" "${options[@]}" --plan --db "$scratch/two.db" >"$scratch/plan" 2>"$scratch/error"
grep -q '^  units       replay:nvidia-h200 (1), replay:nvidia-h200 (2)$' "$scratch/plan" || fail "the plan names no units"

start two.db
end_with 0
both_have_measured || fail "one worker did everything"
same_winners "$scratch/one.csv" "$scratch/out" || fail "two workers find other winners than one"
[[ $(screenings two.db) == $(screenings one.db) ]] || fail "candidates were screened twice, or not at all"

start killed.db
await both_have_measured
mapfile -t workers < <(children_of "$program")
[[ ${#workers[@]} == 2 ]] || fail "there are not two workers but '${workers[*]}'"
kill -KILL "${workers[0]}"
end_with 5
[[ $(grep -c 'failed and is left out: fault: the worker process was killed by signal 9' "$scratch/error") == 1 ]] ||
    fail "no line says what was lost"
[[ $(wc -l <"$scratch/out") == 8 ]] || fail "not all 7 sizes have a winner"

start interrupted.db
await both_have_measured
mapfile -t workers < <(children_of "$program")
kill -STOP "${workers[0]}"
kill -INT "$program"
end_with 130
grep -q 'Interrupted. [1-9][0-9]* measurements are kept' "$scratch/error" || fail "nothing is kept"
for worker in "${workers[@]}"; do await has_ended "$worker"; done
start interrupted.db
end_with 0
same_winners "$scratch/one.csv" "$scratch/out" || fail "the continued sweep finds other winners"
[[ $(screenings interrupted.db) == $(screenings one.db) ]] || fail "candidates were screened twice, or not at all"

code=0
"$redtune" tune --device replay:nvidia-h200, "${options[@]}" --db "$scratch/none.db" 2>"$scratch/error" || code=$?
[[ $code == 2 ]] || fail "an empty name is accepted, with exit code $code"
if [[ ! -e /dev/nvidiactl && ! -e /dev/dxg ]]; then
    code=0
    "$redtune" tune --device all "${options[@]}" --db "$scratch/none.db" 2>"$scratch/error" || code=$?
    [[ $code == 3 ]] || fail "--device all without a GPU ends with exit code $code"
    grep -q 'there is no GPU here' "$scratch/error" || fail "it does not say that there is no GPU"
fi
