#!/usr/bin/env bash
# Tests scripts/split-recording on a small database of schema version 2, and on one of the latest version with two GPUs.
set -euo pipefail
project=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# expect WHAT FILE QUERY RESULT: checks that QUERY on the database FILE returns RESULT.
expect() {
    local result
    result=$(sqlite3 "$2" "$3")
    if [[ $result != "$4" ]]; then
        printf 'FAILED: %s: %s instead of %s\n' "$1" "$result" "$4" >&2
        exit 1
    fi
}

# split ARGUMENT...: runs scripts/split-recording and unpacks the archives of its third argument.
split() {
    "$project/scripts/split-recording" "$@" >"$scratch/output"
    for archive in "$3"/*.tar.xz; do
        (cd "$3" && cmake -E tar xf "$archive")
    done
}

database=$scratch/old.db
sqlite3 -bail "$database" ".read '$project/db/schema/0001_initial.sql'" \
    ".read '$project/db/schema/0002_problems_in_views.sql'"
sqlite3 -bail "$database" <<'SQL'
PRAGMA application_id = 0x7264746e;
PRAGMA user_version = 2;
INSERT INTO device VALUES (1, 'GPU', 9, 0, 132, 140, 1, '', 1, 1, 1, NULL);
INSERT INTO toolchain VALUES (1, '0', '0', '0');
INSERT INTO family VALUES (1, 'stream', 'hash'), (2, 'unused', 'hash');
INSERT INTO problem VALUES (1, 'sum', 'f32', 'f32', 'f32', 'whole', 4), (2, 'max', 'f32', 'f32', 'f32', 'whole', 4);
INSERT INTO configuration
SELECT value, 1, '{"block":' || value || '}', '{"chained":true}', 1 FROM json_each('[1, 2, 3]');
INSERT INTO sweep SELECT value, 1, NULL, value, 1, 0, 0, 'finished', 'gpu', '' FROM json_each('[1, 2]');
-- Each problem: configurations 1 to 3 screened (1 twice), 1 and 2 finalists, 1 the winner.
CREATE TEMP TABLE taken (configuration_id, stage_id);
INSERT INTO taken VALUES (1, 0), (1, 0), (2, 0), (3, 0), (1, 2), (2, 2);
INSERT INTO measurement
SELECT NULL, sweep.id, configuration_id, 1024, 0, stage_id, 0, NULL, '[1.5,1.5]', 1.5, 0, 0, 1, NULL, NULL, NULL, NULL, NULL,
       NULL, 1, 0, 0, 1, 1, 0
FROM sweep, taken;
INSERT INTO winner (device_id, problem_id, regime_id, n, determinism, measurement_id, decided_by, runner_up_ratio)
SELECT 1, sweep_id, 0, 1024, 'any', id, 'time', NULL FROM measurement WHERE configuration_id = 1 AND stage_id = 2;
SQL
before=$(sha256sum "$database")

split "$database" gpu "$scratch/data"
[[ $before == "$(sha256sum "$database")" ]] || { echo "FAILED: the database was changed" >&2; exit 1; }
latest=$(find "$project/db/schema" -name '[0-9]*.sql' | wc -l)
for kind in winners recording finalists; do
    file=$scratch/data/gpu.$kind.db
    expect "$kind: schema" "$file" "PRAGMA user_version" "$latest"
    expect "$kind: upgraded rows" "$file" "SELECT DISTINCT family, launch_rule FROM measurements" \
        'grid_stride_wide|{"pdl":true}'
    expect "$kind: families" "$file" "SELECT count(*) FROM family" 1
    expect "$kind: journal" "$file" "PRAGMA journal_mode" delete
done
file=$scratch/data/gpu.winners.db
expect "winners: those of both problems" "$file" "SELECT op, parameters ->> '\$.block', stage, samples FROM measurements
    ORDER BY 1, 2" $'max|1|final|0\nsum|1|final|0'
expect "winners: all" "$file" "SELECT count(*) FROM winner" 2
file=$scratch/data/gpu.recording.db
expect "recording: all stages of sum, each once" "$file" "SELECT op, stage, count(*), sum(samples) FROM measurements
    GROUP BY 1, 2 ORDER BY 2" $'sum|final|2|4\nsum|screen|3|6'
expect "recording: winners" "$file" "SELECT count(*) FROM winner" 1

split "$database" gpu "$scratch/both" sum:f32 max:f32
expect "recording: problems as asked" "$scratch/both/gpu.recording.db" "SELECT count(*) FROM problem" 2

# A second GPU: configurations 2 and 3 are its finalists, 1 was screened. Both GPUs' finalists decide for configuration 2.
units=$scratch/units.db
sqlite3 "$scratch/both/gpu.recording.db" ".backup '$units'"
sqlite3 -bail "$units" <<'SQL'
INSERT INTO device_unit VALUES (1, 1, 'GPU-1'), (2, 1, 'GPU-2');
UPDATE sweep SET device_unit_id = 1;
UPDATE unit_winner SET device_unit_id = 1;
INSERT INTO sweep (id, device_id, device_unit_id, problem_id, toolchain_id, started_at, finished_at, status, source, command,
    identity)
SELECT id + 10, device_id, 2, problem_id, toolchain_id, started_at + 10, finished_at + 10, status,
    source, command, 'second ' || id FROM sweep WHERE problem_id = 1;
INSERT OR IGNORE INTO configuration VALUES (3, 1, '{"block":3}', '{"pdl":true}', 1);
CREATE TEMP TABLE taken (configuration_id, stage_id);
INSERT INTO taken VALUES (1, 0), (2, 2), (3, 2);
INSERT INTO measurement (sweep_id, configuration_id, n, regime_id, stage_id, status_id, samples, median_us, rejected,
    calls_per_sample, registers, shared_bytes, spill_bytes, grid, block, measured_at)
SELECT sweep.id, configuration_id, 1024, 0, stage_id, 0, '[1.5,1.5]', 1.5, 0, 1, 1, 0, 0, 1, 1, 10
FROM sweep, taken WHERE device_unit_id = 2;
INSERT INTO unit_winner (device_id, device_unit_id, problem_id, regime_id, n, determinism, measurement_id, decided_by)
SELECT 1, 2, 1, 0, 1024, 'any', id, 'time' FROM measurement
WHERE measured_at = 10 AND configuration_id = 3;
UPDATE winner SET units = 2, spread = 1.25, measurement_id = (SELECT id FROM measurement
    WHERE measured_at = 10 AND configuration_id = 2) WHERE problem_id = 1;
SQL
split "$units" gpu "$scratch/units"
file=$scratch/units/gpu.winners.db
expect "winners: finalists of both GPUs" "$file" "SELECT uuid, parameters ->> '\$.block' FROM measurements
    JOIN sweeps USING (sweep_id) WHERE measurements.op = 'sum' ORDER BY 1, 2" $'GPU-1|1\nGPU-1|2\nGPU-2|2\nGPU-2|3'
expect "winners: one for each GPU" "$file" "SELECT count(*) FROM unit_winner WHERE problem_id = 1" 2
expect "winners: GPUs and spread" "$file" "SELECT units, spread FROM winners WHERE op = 'sum'" '2|1.25'
expect "winners: times on both GPUs" "$file" "SELECT uuid, parameters ->> '\$.block', time_us FROM unit_times
    WHERE op = 'sum' ORDER BY 1" $'GPU-1|2|1.5\nGPU-2|2|1.5'
split "$units" gpu "$scratch/units" sum:f32
file=$scratch/units/gpu.recording.db
expect "recording: one GPU" "$file" "SELECT DISTINCT uuid FROM measurements JOIN sweeps USING (sweep_id)" GPU-1
expect "recording: that GPU's winner" "$file" "SELECT parameters ->> '\$.block', units, spread IS NULL FROM winners" '1|1|1'

# A database with less than half of what the recording that is there has does not replace it.
poor=$scratch/poor.db
sqlite3 "$units" ".backup '$poor'"
sqlite3 -bail "$poor" 'DELETE FROM measurement WHERE configuration_id != 1 OR sweep_id != 1'
split "$poor" gpu "$scratch/units" sum:f32
expect "recording: not replaced by a poor one" "$file" "SELECT count(*) FROM measurements WHERE stage = 'screen'" 3
split "$poor" gpu "$scratch/poor" sum:f32
expect "recording: a poor one if there is none" "$scratch/poor/gpu.recording.db" \
    "SELECT count(*) FROM measurements WHERE stage = 'screen'" 1

# A size between, of the first GPU, where configuration 3 wins among three, on two kinds of data. Configuration 12 is
# configuration 2, which won the other size, with another launch rule.
between=$scratch/between.db
sqlite3 "$units" ".backup '$between'"
sqlite3 -bail "$between" <<'SQL'
INSERT OR IGNORE INTO data (name) VALUES ('outlier');
INSERT INTO configuration VALUES (12, 1, '{"block":2}', '{"pdl":true,"combine_block":512}', 1);
INSERT INTO measurement (sweep_id, configuration_id, n, regime_id, stage_id, status_id, samples, median_us, rejected,
    calls_per_sample, registers, shared_bytes, spill_bytes, grid, block, measured_at, data_id)
SELECT 1, configuration.id, 1101, 0, 2, 0, '[1.5,1.5]', abs(configuration.id - 4), 0, 1, 1, 0, 0, 1, 1, 11, data.id
FROM configuration, data WHERE configuration.id != 2 AND data.name IN ('uniform', 'outlier');
INSERT INTO unit_winner (device_id, device_unit_id, problem_id, regime_id, n, determinism, measurement_id, decided_by)
SELECT 1, 1, 1, 0, 1101, 'any', id, 'time' FROM measurement WHERE n = 1101 AND configuration_id = 3 AND data_id = 0;
INSERT INTO winner (device_id, problem_id, regime_id, n, determinism, measurement_id, decided_by)
SELECT device_id, problem_id, regime_id, n, determinism, measurement_id, decided_by FROM unit_winner WHERE n = 1101;
SQL
split "$between" gpu "$scratch/between"
file=$scratch/between/gpu.winners.db
expect "winners: of a size between, its winner and the neighbour's, on the first data" "$file" "SELECT
    parameters ->> '\$.block', data, samples FROM measurements WHERE n = 1101 ORDER BY 1" $'2|uniform|0\n3|uniform|0'
expect "winners: the winner's time at the neighbouring size" "$file" "SELECT DISTINCT parameters ->> '\$.block'
    FROM measurements JOIN sweeps USING (sweep_id) WHERE n = 1024 AND measurements.op = 'sum' AND uuid = 'GPU-1' ORDER BY 1" \
    $'1\n2'
expect "recording: searched sizes only" "$scratch/between/gpu.recording.db" "SELECT DISTINCT n, data FROM measurements" \
    '1024|uniform'
expect "finalists: no screenings, no samples" "$scratch/between/gpu.finalists.db" "SELECT DISTINCT stage, samples
    FROM measurements" 'final|0'

# The finalists are enough to make the winners again. The recording stays.
recorded=$(sha256sum "$scratch/between/gpu.recording.tar.xz")
cp "$file" "$scratch/first.db"
split "$scratch/between/gpu.finalists.db" gpu "$scratch/between"
query="SELECT op, dtype, n, parameters, time_us, units, spread FROM winners ORDER BY 1, 2, 3, 4"
expect "winners of the finalists" "$file" "$query" "$(sqlite3 "$scratch/first.db" "$query")"
[[ $recorded == "$(sha256sum "$scratch/between/gpu.recording.tar.xz")" ]] ||
    { echo "FAILED: the recording was replaced" >&2; exit 1; }
echo "the files hold what they are for"
