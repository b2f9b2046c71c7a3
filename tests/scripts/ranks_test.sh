#!/usr/bin/env bash
# Tests `redtune tune` in several ranks on this machine, which replay a recording: they find what one process finds, a rank
# that is killed costs what it had in hand, a killed worker costs one candidate, and no process is left. The ranks are
# started by hand, with the variables of a launcher, and by mpirun if it is installed.
# Usage: ranks_test.sh REDTUNE, the built program
set -euo pipefail
redtune=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export REDTUNE_CACHE=$scratch/cache
unset PMI_RANK PMI_SIZE OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE SLURM_PROCID SLURM_STEP_NUM_TASKS
options=(--device replay:nvidia-h200 --size 1Ki..64Ki --between 0 --checks 0 --format csv)
# shellcheck source=tests/scripts/sweep_processes.sh
source "$(dirname "${BASH_SOURCE[0]}")/sweep_processes.sh"
all_have_measured() {
    local rank
    for rank in 0 1 2; do
        grep -qs "^rank $rank: replay:nvidia-h200: n = " "$scratch/error" || return 1
    done
}
# start DATABASE: starts three ranks, whose ids are then in `ranks`.
start() {
    local rank
    rm -f "$scratch/error"
    ranks=()
    for rank in 0 1 2; do
        PMI_RANK=$rank PMI_SIZE=3 env --default-signal=INT "$redtune" tune "${options[@]}" --db "$scratch/$1" \
            >"$scratch/out$rank" 2>>"$scratch/error" &
        ranks+=($!)
    done
}
# end_with CODE: waits for the end of rank 0, and for the ends of the ranks that are left.
end_with() {
    local code=0 rank
    wait "${ranks[0]}" || code=$?
    [[ $code == "$1" ]] || fail "the exit code of rank 0 is $code, not $1"
    for rank in "${ranks[@]}"; do await has_ended "$rank"; done
    [[ ! -s $scratch/out1 && ! -s $scratch/out2 ]] || fail "another rank than rank 0 prints results"
}
# check_contents DATABASE: every candidate was screened once, and the database is sound.
check_contents() {
    [[ $(sqlite3 "$scratch/$1" "SELECT count(*) FROM measurements WHERE stage = 'screen'") == "$screenings" ]] ||
        fail "candidates were screened twice, or not at all"
    [[ $(sqlite3 "$scratch/$1" "PRAGMA integrity_check") == ok ]] || fail "the database is damaged"
    [[ ! -e $scratch/$1.ranks ]] || fail "the address of rank 0 is left"
}

"$redtune" tune "${options[@]}" --db "$scratch/one.db" >"$scratch/one.csv" 2>"$scratch/error"
screenings=$(sqlite3 "$scratch/one.db" "SELECT count(*) FROM measurements WHERE stage = 'screen'")

start three.db
end_with 0
all_have_measured || fail "a rank measured nothing"
same_winners "$scratch/one.csv" "$scratch/out0" || fail "three ranks find other winners than one process"
check_contents three.db

# A rank is killed with its worker, as if its machine was lost.
start lost.db
await all_have_measured
mapfile -t workers < <(children_of "${ranks[1]}")
kill -STOP "${workers[@]}"
kill -KILL "${ranks[1]}" "${workers[@]}"
end_with 5
grep -q '^rank 1: replay:nvidia-h200: lost: rank 1: replay:nvidia-h200: the connection broke' "$scratch/error" ||
    fail "no line says that the rank was lost"
grep -q '^1 of 3 devices were lost; the others have measured everything' "$scratch/error" || fail "no summary of the loss"
same_winners "$scratch/one.csv" "$scratch/out0" || fail "without the lost rank, other winners are found"
check_contents lost.db

# A worker that is killed costs one candidate: its rank starts another one.
start killed.db
await all_have_measured
mapfile -t workers < <(children_of "${ranks[2]}")
kill -KILL "${workers[0]}"
end_with 5
[[ $(grep -c 'failed and is left out: fault: the worker process was killed by signal 9' "$scratch/error") == 1 ]] ||
    fail "no line says which candidate was lost"
[[ $(wc -l <"$scratch/out0") == 8 ]] || fail "not all 7 sizes have a winner"

# Ctrl-C reaches all ranks; rank 0 decides. A later start continues.
start interrupted.db
await all_have_measured
mapfile -t workers < <(children_of "${ranks[1]}")
kill -STOP "${workers[0]}"
kill -INT "${ranks[@]}"
end_with 130
grep -q 'Interrupted. [1-9][0-9]* measurements are kept' "$scratch/error" || fail "nothing is kept"
await has_ended "${workers[0]}"
start interrupted.db
end_with 0
same_winners "$scratch/one.csv" "$scratch/out0" || fail "the continued sweep finds other winners"
check_contents interrupted.db

# If rank 0 is killed, the others end.
start headless.db
await all_have_measured
kill -KILL "${ranks[0]}"
end_with 137

if ! command -v mpirun >/dev/null; then exit 0; fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpi=(mpirun --oversubscribe -n 3)
"${mpi[@]}" "$redtune" tune "${options[@]}" --db "$scratch/mpi.db" >"$scratch/mpi.csv" 2>"$scratch/error" ||
    fail "mpirun ends with exit code $?"
same_winners "$scratch/one.csv" "$scratch/mpi.csv" || fail "three ranks of mpirun find other winners than one process"
check_contents mpi.db

rm "$scratch/error"  # else the messages of the run before would be taken for those of the next one
# By default mpirun ends all ranks if one is killed.
# shellcheck disable=SC2016  # the inner shell expands it
"${mpi[@]}" --enable-recovery bash -c 'echo $$ >"$0.$OMPI_COMM_WORLD_RANK"; exec "$@"' "$scratch/rank" \
    "$redtune" tune "${options[@]}" --db "$scratch/mpi-lost.db" >"$scratch/mpi.csv" 2>"$scratch/error" &
launcher=$!
await all_have_measured
kill -KILL "$(<"$scratch/rank.2")"
wait "$launcher" || true  # versions differ in whether they return the code of rank 0
grep -q '^1 of 3 devices were lost; the others have measured everything' "$scratch/error" || fail "no summary of the loss"
same_winners "$scratch/one.csv" "$scratch/mpi.csv" || fail "without the lost rank of mpirun, other winners are found"
check_contents mpi-lost.db
