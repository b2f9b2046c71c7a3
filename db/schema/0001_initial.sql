-- Tables have singular names and hold the recorded data. Views have plural names and units in their column names, and
-- are meant to be read by people. Durations are in microseconds per call. Points in time are in Unix seconds, which the
-- views show in ISO 8601, UTC.

-- Lookup tables: `measurement`, the only large table, stores these ids instead of the names.
CREATE TABLE regime (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE stage  (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;  -- later stages take more samples
CREATE TABLE status (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;  -- only ok can win
INSERT INTO regime VALUES (0, 'cold'), (1, 'warm'), (2, 'stream');
INSERT INTO stage  VALUES (0, 'screen'), (1, 'survivor'), (2, 'final');
INSERT INTO status VALUES (0, 'ok'), (1, 'wrong'), (2, 'implausible'), (3, 'compile_error'), (4, 'launch_error'),
                          (5, 'throttled');

CREATE TABLE device (
    id                         INTEGER PRIMARY KEY,
    name                       TEXT    NOT NULL,
    compute_major              INTEGER NOT NULL,
    compute_minor              INTEGER NOT NULL,
    sm_count                   INTEGER NOT NULL,
    memory_gib                 INTEGER NOT NULL,
    l2_bytes                   INTEGER NOT NULL,
    mig_profile                TEXT    NOT NULL,          -- empty: not a MIG slice
    -- These columns are not part of the key. They hold the latest values that a sweep reported.
    memory_bytes               INTEGER NOT NULL,
    max_threads_per_sm         INTEGER NOT NULL,
    max_shared_bytes_per_block INTEGER NOT NULL,
    peak_gb_per_s              REAL,                      -- NULL: unknown
    UNIQUE (name, compute_major, compute_minor, sm_count, memory_gib, l2_bytes, mig_profile)
) STRICT;

-- The individual GPUs that were used as a device.
CREATE TABLE device_unit (
    id        INTEGER PRIMARY KEY,
    device_id INTEGER NOT NULL REFERENCES device,
    uuid      TEXT    NOT NULL,
    UNIQUE (device_id, uuid)
) STRICT;

CREATE TABLE toolchain (
    id              INTEGER PRIMARY KEY,
    redtune_version TEXT NOT NULL,
    nvrtc_version   TEXT NOT NULL,
    driver_version  TEXT NOT NULL,
    UNIQUE (redtune_version, nvrtc_version, driver_version)
) STRICT;

CREATE TABLE family (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    code_hash TEXT NOT NULL,                              -- hash of all device code that the family includes
    UNIQUE (name, code_hash)
) STRICT;

CREATE TABLE problem (
    id               INTEGER PRIMARY KEY,
    op               TEXT    NOT NULL,
    input_type       TEXT    NOT NULL CHECK (input_type GLOB '[bfiu]*[0-9]'),
    accumulator_type TEXT    NOT NULL CHECK (accumulator_type GLOB '[bfiu]*[0-9]'),
    output_type      TEXT    NOT NULL CHECK (output_type GLOB '[bfiu]*[0-9]'),
    shape            TEXT    NOT NULL,
    input_bytes      INTEGER NOT NULL,                    -- size of one element
    UNIQUE (op, input_type, accumulator_type, output_type, shape)
) STRICT;

CREATE TABLE configuration (
    id            INTEGER PRIMARY KEY,
    family_id     INTEGER NOT NULL REFERENCES family,
    parameters    TEXT    NOT NULL CHECK (json_type(parameters) = 'object'),  -- {name: value}, in the family's order
    launch_rule   TEXT    NOT NULL CHECK (json_type(launch_rule) = 'object'), -- computes the launches for any n
    deterministic INTEGER NOT NULL CHECK (deterministic IN (0, 1)),           -- 1: every call gives the same bits
    UNIQUE (family_id, parameters, launch_rule, deterministic)
) STRICT;

CREATE TABLE sweep (
    id             INTEGER PRIMARY KEY,
    device_id      INTEGER NOT NULL REFERENCES device,
    device_unit_id INTEGER REFERENCES device_unit,
    problem_id     INTEGER NOT NULL REFERENCES problem,
    toolchain_id   INTEGER NOT NULL REFERENCES toolchain,
    started_at     INTEGER NOT NULL,
    finished_at    INTEGER,                               -- NULL: still runs, or was killed
    status         TEXT    NOT NULL CHECK (status IN ('running', 'finished', 'interrupted', 'failed')),
    source         TEXT    NOT NULL CHECK (source = 'gpu' OR source GLOB 'replay:?*'),
    command        TEXT    NOT NULL
) STRICT;

-- This table has many rows, so its columns are short and it has only the one index that look-ups need.
CREATE TABLE measurement (
    id               INTEGER PRIMARY KEY,
    sweep_id         INTEGER NOT NULL REFERENCES sweep,
    configuration_id INTEGER NOT NULL REFERENCES configuration,
    n                INTEGER NOT NULL CHECK (n >= 0),     -- elements
    regime_id        INTEGER NOT NULL REFERENCES regime,
    stage_id         INTEGER NOT NULL REFERENCES stage,
    status_id        INTEGER NOT NULL REFERENCES status,
    reason           TEXT,                                -- expected and actual outcome of a failure
    samples          TEXT    NOT NULL CHECK (json_type(samples) = 'array'),   -- us, in the order taken, 5 digits
    median_us        REAL,
    interquartile_us REAL,
    rejected         INTEGER NOT NULL,                    -- number of samples discarded as throttled
    calls_per_sample INTEGER NOT NULL,
    floor_us         REAL,                                -- time of the same launches with empty kernels
    sm_mhz           INTEGER,
    memory_mhz       INTEGER,
    temperature_c    INTEGER,
    power_w          REAL,                                -- rounded to whole watts
    throttle_reasons INTEGER,                             -- bit mask as NVML defines it
    registers        INTEGER NOT NULL,                    -- per thread
    shared_bytes     INTEGER NOT NULL,                    -- static, per block
    spill_bytes      INTEGER NOT NULL,                    -- per thread
    grid             INTEGER NOT NULL,                    -- blocks of the first launch
    block            INTEGER NOT NULL,                    -- threads per block
    measured_at      INTEGER NOT NULL,
    CHECK (status_id <> 0 OR coalesce(median_us, 0) > 0)
) STRICT;
CREATE INDEX measurement_by_size ON measurement (sweep_id, n);

-- Derived from `measurement`, from which it can be rebuilt.
CREATE TABLE winner (
    device_id       INTEGER NOT NULL REFERENCES device,
    problem_id      INTEGER NOT NULL REFERENCES problem,
    regime_id       INTEGER NOT NULL REFERENCES regime,
    n               INTEGER NOT NULL CHECK (n >= 0),
    determinism     TEXT    NOT NULL CHECK (determinism IN ('any', 'run_to_run')),
    measurement_id  INTEGER NOT NULL REFERENCES measurement,
    decided_by      TEXT    NOT NULL,
    runner_up_ratio REAL,                                 -- runner-up's time / winner's time
    PRIMARY KEY (device_id, problem_id, regime_id, n, determinism)
) STRICT, WITHOUT ROWID;

CREATE VIEW measurements AS
SELECT measurement.id AS measurement_id,
       device.name AS device,
       problem.op,
       problem.input_type AS dtype,
       measurement.n,
       measurement.n * problem.input_bytes AS bytes,
       regime.name AS regime,
       stage.name AS stage,
       status.name AS status,
       measurement.reason,
       family.name AS family,
       configuration.parameters,
       configuration.deterministic,
       measurement.grid,
       measurement.block,
       measurement.median_us AS time_us,
       measurement.n * problem.input_bytes / measurement.median_us / 1e3 AS gb_per_s,
       -- The peak is the memory's: a warm input does not come from there.
       CASE regime.name WHEN 'warm' THEN NULL
           ELSE measurement.n * problem.input_bytes / measurement.median_us / 1e3 / device.peak_gb_per_s
       END AS share_of_peak,
       (SELECT min(value) FROM json_each(measurement.samples)) AS minimum_us,
       measurement.interquartile_us,
       measurement.floor_us,
       json_array_length(measurement.samples) AS samples,
       measurement.rejected,
       measurement.calls_per_sample,
       measurement.sm_mhz,
       measurement.memory_mhz,
       measurement.temperature_c,
       measurement.power_w,
       measurement.throttle_reasons,
       measurement.registers,
       measurement.shared_bytes AS static_shared_bytes,
       coalesce(configuration.launch_rule ->> '$.shared_bytes', 0) AS dynamic_shared_bytes,
       measurement.spill_bytes,
       strftime('%Y-%m-%dT%H:%M:%SZ', measurement.measured_at, 'unixepoch') AS measured_at,
       sweep.id AS sweep_id,
       sweep.source,
       toolchain.redtune_version,
       toolchain.nvrtc_version,
       toolchain.driver_version,
       family.code_hash,
       configuration.launch_rule,
       measurement.samples AS samples_us
FROM measurement
JOIN regime ON regime.id = measurement.regime_id
JOIN stage ON stage.id = measurement.stage_id
JOIN status ON status.id = measurement.status_id
JOIN sweep ON sweep.id = measurement.sweep_id
JOIN device ON device.id = sweep.device_id
JOIN problem ON problem.id = sweep.problem_id
JOIN toolchain ON toolchain.id = sweep.toolchain_id
JOIN configuration ON configuration.id = measurement.configuration_id
JOIN family ON family.id = configuration.family_id;

CREATE VIEW winners AS
SELECT measurements.device,
       measurements.op,
       measurements.dtype,
       measurements.n,
       measurements.bytes,
       measurements.regime,
       winner.determinism,
       measurements.family,
       measurements.parameters,
       measurements.grid,
       measurements.block,
       measurements.time_us,
       measurements.gb_per_s,
       measurements.share_of_peak,
       measurements.floor_us,
       measurements.samples,
       measurements.interquartile_us,
       measurements.measured_at,
       winner.decided_by,
       winner.runner_up_ratio,
       measurements.source,
       measurements.measurement_id
FROM winner
JOIN measurements ON measurements.measurement_id = winner.measurement_id;

CREATE VIEW failures AS
SELECT measurement_id, device, op, dtype, n, regime, stage, status, reason, family, parameters, grid, block,
       registers, static_shared_bytes, dynamic_shared_bytes, spill_bytes, measured_at, sweep_id
FROM measurements
WHERE status <> 'ok';

CREATE VIEW sweeps AS
SELECT sweep.id AS sweep_id,
       device.name AS device,
       problem.op,
       problem.input_type AS dtype,
       strftime('%Y-%m-%dT%H:%M:%SZ', sweep.started_at, 'unixepoch') AS started_at,
       sweep.finished_at - sweep.started_at AS seconds,
       sweep.status,
       sweep.source,
       (SELECT count(*) FROM measurement WHERE sweep_id = sweep.id) AS measurements,
       (SELECT count(*) FROM measurement WHERE sweep_id = sweep.id AND status_id <> 0) AS failures,
       toolchain.redtune_version,
       toolchain.nvrtc_version,
       toolchain.driver_version,
       device_unit.uuid,
       sweep.command
FROM sweep
JOIN device ON device.id = sweep.device_id
JOIN problem ON problem.id = sweep.problem_id
JOIN toolchain ON toolchain.id = sweep.toolchain_id
LEFT JOIN device_unit ON device_unit.id = sweep.device_unit_id;
