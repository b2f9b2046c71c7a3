#!/usr/bin/env bash
# Tests logged() of scripts/common.sh: a command's output goes to the log, its steps to a terminal, and the end of the log to
# stderr if the command fails.
set -euo pipefail
project=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

mkdir "$scratch/scripts"
cp "$project/scripts/common.sh" "$scratch/scripts"
cat >"$scratch/scripts/build" <<'STUB'
#!/usr/bin/env bash
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
build() {
    echo "[1/2] a.cpp"
    sleep "$2"
    return "$1"
}
logged log "the build" build "$@"
echo finished
STUB
chmod +x "$scratch/scripts/build"

output=$("$scratch/scripts/build" 0 0 2>&1)
[[ $output == finished ]] || fail "without a terminal it prints: $output"
[[ $(<"$scratch/log") == "[1/2] a.cpp" ]] || fail "the log has: $(<"$scratch/log")"
output=$("$scratch/scripts/build" 7 0 2>&1) && fail "a build that fails is taken for a good one"
[[ $output == "redtune: the build failed; the end of log:"$'\n'"[1/2] a.cpp" ]] || fail "a build that fails prints: $output"
output=$(TERM=xterm script --quiet --return --command "$scratch/scripts/build 0 2" /dev/null)
[[ $output == *$'\r[1/2] '*$'\r\e[Kfinished'* ]] || fail "a terminal shows: $output"
output=$(TERM=dumb script --quiet --return --command "$scratch/scripts/build 0 2" /dev/null)
[[ $output == finished* ]] || fail "a terminal without escape codes shows: $output"
echo "the steps of a build are shown on a terminal only"
