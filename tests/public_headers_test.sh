#!/usr/bin/env bash
# Usage: public_headers_test.sh COMPILER INCLUDE-FOLDER INCLUDE-FOLDER HEADER...
# Compiles each HEADER alone as C++20, with warnings as errors. A HEADER outside of redtune/
# is for C too; so is redtune/export.h, which it includes.
set -euo pipefail
compiler=$1
folders=(-I "$2" -I "$3")
shift 3
check() {
    "$compiler" -fsyntax-only -Wall -Wextra -Wpedantic -Werror "${folders[@]}" "$@" - <<<"int declaration;"
}
for header in "$@"; do
    check -x c++ -std=c++20 -include "$header"
    if [[ $header != */* || $header == redtune/export.h ]]; then
        check -x c -std=c99 -include "$header"
    fi
done
