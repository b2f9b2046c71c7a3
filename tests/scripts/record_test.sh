#!/usr/bin/env bash
# Tests the commands of scripts/record with a stand-in for redtune.
set -euo pipefail
project=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export REDTUNE_PROGRAM=$scratch/redtune STATUS=0
cat >"$REDTUNE_PROGRAM" <<'SH'
#!/usr/bin/env bash
echo "$*"
exit "$STATUS"
SH
chmod +x "$REDTUNE_PROGRAM"
# fail WHAT: says what is wrong and ends the test.
fail() {
    printf 'FAILED: %s\n' "$1" >&2
    exit 1
}

"$project/scripts/record" a.db >"$scratch/output"
[[ $(grep -o -- '--op .* --effort' "$scratch/output" | sed 's/ --effort//' | sort -u | wc -l) == 73 ]] ||
    fail "37 reductions of whole arrays, 18 of rows and 18 of columns"
grep -q -- "--db $PWD/a.db --op sum --dtype f32 --effort exhaustive --size 256..1073741824 --between 3$" "$scratch/output" ||
    fail "sum of f32 is swept exhaustively from 1 KiB to 4 GiB"

grep -q -- '--op bit_xor --dtype i16 --effort standard --size 512..536870912 --between 0 --checks 0$' "$scratch/output" ||
    fail "representatives have standard effort"
grep -q -- '--op bit_xor --dtype i16 --effort standard --size 725,1449,.*,379625063 --between 0 --checks 0$' "$scratch/output" ||
    fail "representatives have one odd size between two sizes"

STATUS=5 "$project/scripts/record" "$scratch/a.db" max:f16:rows:1000 sum:i32:to:i64 >"$scratch/output"
grep -q -- '--op max --dtype f16 --shape rows:1000 --effort exhaustive --size 2000,16000,131000,1048000,8388000,67108000,536870000 ' \
    "$scratch/output" || fail "sizes of rows are whole rows"
"$project/scripts/record" "$scratch/a.db" sum:f32:columns:24 >"$scratch/columns"
grep -q -- '--op sum --dtype f32 --shape columns:24 --effort standard --size 1008,4080,16368,' "$scratch/columns" ||
    fail "sizes of columns are whole rows of the matrix"
"$project/scripts/record" "$scratch/a.db" sum:f32:columns:1048576 >"$scratch/columns"
grep -q -- "--size 1048576,4194304,16777216,67108864,268435456 " "$scratch/columns" || fail "wide matrices begin with one row"
grep -q -- '--op sum --dtype i32 --output i64 --effort exhaustive --family single_block' "$scratch/output" ||
    fail "failed candidates do not end the recording"
"$project/scripts/record" --another-gpu "$scratch/a.db" sum:f32 sum:f32:rows:32 >"$scratch/output"
[[ $(grep -c -- '--between 0 --checks 0$' "$scratch/output") == 4 && $(wc -l <"$scratch/output") == 4 ]] ||
    fail "another GPU tunes no sizes between"
[[ $(grep -c -- '--effort quick' "$scratch/output") == 4 ]] || fail "another GPU uses quick effort"
"$project/scripts/record" --short "$scratch/a.db" >"$scratch/output"
[[ $(grep -o -- '--op .* --effort' "$scratch/output" | sort -u | wc -l) == 73 ]] || fail "a short recording has all reductions"
[[ $(grep -c -- '--effort standard .*--between 0 --checks 0$' "$scratch/output") == $(wc -l <"$scratch/output") ]] ||
    fail "a short recording has standard effort"
grep -q -- '--op sum --dtype f32 --effort standard --size 363,725,1449,2897,.*,759250125 ' "$scratch/output" ||
    fail "a short recording has one odd size between two sizes"
"$project/scripts/record" --wide "$scratch/a.db" >"$scratch/output"
[[ $(sed 's/.*--dtype \(.*\) --effort.*/\1/' "$scratch/output" | wc -w) == 180 ]] || fail "180 operators and types make sense"
grep -q -- '--op max --dtype i16 u16 f16 bf16 --effort quick --size 512,2048,8192,.*,536870912 --between 0 --checks 0$' \
    "$scratch/output" || fail "types of one width are tuned together, up to 1 GiB"
status=0
"$project/scripts/record" --other "$scratch/a.db" >"$scratch/output" 2>&1 || status=$?
[[ $status == 2 ]] || fail "unknown options are refused"
status=0
STATUS=3 "$project/scripts/record" "$scratch/a.db" sum:i8 >"$scratch/output" || status=$?
[[ $status == 3 && $(wc -l <"$scratch/output") == 1 ]] || fail "another failure ends it"
# shellcheck disable=SC2016  # the stand-in expands the variables
# A stand-in that ends as usual although the recording is interrupted.
printf '#!/usr/bin/env bash\necho "$*"\ntrap : INT\nkill -INT $PPID\n' >"$REDTUNE_PROGRAM"
status=0
"$project/scripts/record" "$scratch/a.db" sum:i8 >"$scratch/output" || status=$?
[[ $status == 130 && $(wc -l <"$scratch/output") == 1 ]] || fail "an interruption ends it after the sweep"
echo "scripts/record gives the commands that it describes"
