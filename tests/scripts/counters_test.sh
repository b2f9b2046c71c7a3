#!/usr/bin/env bash
# Tests `redtune explain --counters` with a stand-in for ncu and the simulated CUDA driver: the program under the stand-in
# compiles the winner and launches it, with one array and with two. Exits with 77, which ctest counts as skipped, without an
# NVRTC.
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
# Starts the program, whose arguments are the last four, as ncu does.
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
