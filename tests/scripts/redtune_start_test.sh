#!/usr/bin/env bash
# Tests scripts/redtune in a project with a fake build: the script builds when it must, and works after the project was
# moved or copied and through symbolic links.
set -euo pipefail
project=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

first=$scratch/first
mkdir -p "$first"/{templates,kernels_src,db/{data,schema},docs/results,tuner,cmake,build/release}
cp -r "$project/scripts" "$first/scripts"
touch "$first"/{CMakeLists.txt,CMakePresets.json,db/a.cpp,db/a.h,docs/results/h200-cub.csv,templates/a.cuh,tuner/main.cpp}
printf '#!/bin/sh\n' >"$first/scripts/install-dependencies"
cat >"$first/scripts/build.sh" <<'STUB'
build_preset() {
    printf '#!/bin/sh\necho "$0 $*"\n' >build/release/redtune
    chmod +x build/release/redtune
    find tuner db templates -newer build/before -type f >build/looks_new
    touch build/before
    echo built >>build/count
}
STUB
touch -d '2000-01-01' "$first/build/before"

# expect_start PROJECT SCRIPT BUILDS: checks that SCRIPT runs the program of PROJECT and that PROJECT has been built
# BUILDS times.
expect_start() {
    local output
    output=$(cd / && "$2" query --n 1 2>/dev/null) || fail "$2 ended with $?"
    [[ $output == "$1/build/release/redtune query --n 1" ]] || fail "$2 ran: $output"
    [[ $(wc -l <"$1/build/count") == "$3" ]] || fail "$2 built $(wc -l <"$1/build/count") times, not $3"
}

expect_start "$first" "$first/scripts/redtune" 1
expect_start "$first" "$first/scripts/redtune" 1
ln -s "$first/scripts/redtune" "$scratch/absolute"
ln -s first/scripts/redtune "$scratch/relative"
expect_start "$first" "$scratch/absolute" 1
expect_start "$first" "$scratch/relative" 1

cp -r "$first" "$scratch/copy"
expect_start "$scratch/copy" "$scratch/copy/scripts/redtune" 1
mv "$first" "$scratch/moved"
expect_start "$scratch/moved" "$scratch/moved/scripts/redtune" 1

sleep 0.01
printf '// other\n' >"$scratch/moved/tuner/main.cpp"
touch -d '2001-01-01' "$scratch/moved/tuner/main.cpp"
expect_start "$scratch/moved" "$scratch/moved/scripts/redtune" 2
[[ $(<"$scratch/moved/build/looks_new") == tuner/main.cpp ]] ||
    fail "a changed source with an old time looks new to the build: $(<"$scratch/moved/build/looks_new")"
expect_start "$scratch/moved" "$scratch/moved/scripts/redtune" 2
touch "$scratch/moved/db/data/gpu.winners.tar.xz"
expect_start "$scratch/moved" "$scratch/moved/scripts/redtune" 3
echo "built when a source changes only; runs moved, copied and linked"
