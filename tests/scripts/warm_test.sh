#!/usr/bin/env bash
# Tests that a program without NVRTC takes its kernels from a folder that `redtune warm` has filled.
# Usage: warm_test.sh REDTUNE, the built program
set -euo pipefail
redtune=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export REDTUNE_DB=$scratch/none.db REDTUNE_CACHE=$scratch/cache
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

problem=(--arch sm_90 --op sum --dtype f32 --shape whole --size 1Ki)
"$redtune" warm "${problem[@]}" --folder "$scratch/image" --format csv >"$scratch/made"
kernels=$(tail -1 "$scratch/made" | cut -d, -f3)
[[ $kernels -gt 0 ]] || fail "no kernel was compiled: $(cat "$scratch/made")"

export REDTUNE_NVRTC=/nowhere/libnvrtc.so.13
code=0
REDTUNE_SYSTEM_CACHE=$scratch/none "$redtune" warm "${problem[@]}" 2>"$scratch/error" || code=$?
[[ $code == 3 ]] || fail "without cache and NVRTC the exit code is $code"
grep -q "redtune warm --arch sm_90" "$scratch/error" || fail "no remedy in: $(cat "$scratch/error")"

REDTUNE_SYSTEM_CACHE=$scratch/image "$redtune" warm "${problem[@]}" --format csv >"$scratch/found"
[[ $(tail -1 "$scratch/found" | cut -d, -f4) == "$kernels" ]] || fail "not from the cache: $(cat "$scratch/found")"
