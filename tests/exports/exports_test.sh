#!/usr/bin/env bash
# Usage: exports_test.sh LIBREDTUNE.SO
# Compares the names that the shared library exports with exports.txt of this folder. With REDTUNE_UPDATE_GOLDEN=1, writes
# that file.
set -euo pipefail
library=$1
expected=$(dirname "${BASH_SOURCE[0]}")/exports.txt
export LC_ALL=C

mapfile -t names < <(nm --dynamic --defined-only --format=posix "$library" | cut -d ' ' -f 1)
for name in "${names[@]}"; do
    if [[ ! $name =~ ^(redtune_|_ZN7redtune|_ZNK7redtune|_ZT[ISV]N7redtune) ]]; then
        echo "the library exports $name ($(c++filt "$name")), which is not redtune's: see cmake/exports.map" >&2
        exit 1
    fi
done
actual=$(printf '%s\n' "${names[@]}" | c++filt | sort -u)
if [[ ${REDTUNE_UPDATE_GOLDEN:-} == 1 ]]; then
    echo "$actual" >"$expected"
fi
if ! diff -u "$expected" <(echo "$actual"); then
    echo "the library exports other names than tests/exports/exports.txt has. If that is meant, run this test with" \
         "REDTUNE_UPDATE_GOLDEN=1; if names are missing, they lack REDTUNE_EXPORT" >&2
    exit 1
fi
