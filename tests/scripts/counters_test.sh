#!/usr/bin/env bash
# Tests `redtune explain --counters`, and what `redtune tune --self-test` starts under ncu, with a stand-in for ncu and the
# simulated CUDA driver: the program under the stand-in compiles the winner and launches it, with one array and with two. Exits
# with 77, which ctest counts as skipped, without an NVRTC.
# Usage: counters_test.sh REDTUNE SIMULATED_DRIVER: the built program, and the folder of the simulated libcuda.so.1
set -euo pipefail
redtune=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LD_LIBRARY_PATH=$2 REDTUNE_DB=$scratch/none.db REDTUNE_CACHE=$scratch/cache PATH=$scratch:$PATH
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

cat >"$scratch/ncu" <<END
#!/usr/bin/env bash
# Starts the program, whose arguments are the last four, as ncu does, and keeps them.
printf '%s\0' "\${@: -4}" >"$scratch/started"
"\${@: -4}" || exit 1
cat "$here/../cli/ncu/two_launches.csv"
END
chmod +x "$scratch/ncu"

if "$redtune" doctor 2>/dev/null | grep -qi 'nvrtc.*missing'; then
    echo "skipped: there is no NVRTC"
    exit 77
fi
for problem in "--op sum --dtype f32 --n 1000003" "--op dot --dtype f32 --n 4Ki" "--op sum --dtype f16 --shape columns:64 --n 1Mi"; do
    # shellcheck disable=SC2086  # the words of the problem
    "$redtune" explain --counters $problem >"$scratch/out" 2>"$scratch/error" || fail "$problem: $(cat "$scratch/error")"
    grep -q 'instructions/warp *76.5' "$scratch/out" || fail "no counters of $problem: $(cat "$scratch/out")"
done

# The same call six times in the regime warm, as `tune --self-test` profiles a winner.
mapfile -d '' -t started <"$scratch/started"
calls=${started[3]/'"rounds":1'/'"rounds":6'}
calls=${calls/'"regime":"cold"'/'"regime":"warm"'}
[[ $calls == *warm*'"rounds":6'* || $calls == *'"rounds":6'*warm* ]] || fail "no number of calls in: $calls"
"${started[@]:0:3}" "$calls" >"$scratch/out" 2>"$scratch/error" || fail "six calls: $(cat "$scratch/error")"

# A GPU on which no configuration is right has no winner that could be profiled, and the self-test says so.
code=0
"$redtune" tune --self-test=2 --size 1Ki --family single_block >"$scratch/out" 2>"$scratch/error" || code=$?
[[ $code == 5 ]] || fail "the exit code of the self-test is $code, not 5: $(cat "$scratch/error")"
grep -q 'a sweep found no winner at 1Ki' "$scratch/error" || fail "no flaw in: $(cat "$scratch/error")"
grep -q "durations were not compared" "$scratch/error" || fail "no line on durations in: $(cat "$scratch/error")"

# A program that fails under ncu is an error with its message, and the explanation is there.
code=0
REDTUNE_WORKER_PROGRAM=$scratch/none "$redtune" explain --counters --n 1Mi >"$scratch/out" 2>"$scratch/error" || code=$?
[[ $code == 3 ]] || fail "the exit code is $code, not 3"
grep -q 'read no hardware counters' "$scratch/error" || fail "no message in: $(cat "$scratch/error")"
grep -q runner_up "$scratch/out" || fail "no explanation without counters"

# `redtune launch` is for profilers only.
code=0
"$redtune" launch a b 2>"$scratch/error" || code=$?
[[ $code == 2 ]] || fail "a wrong message has exit code $code, not 2"
echo "the winner was launched under a stand-in for ncu"
