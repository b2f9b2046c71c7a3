-- The schema of a new database, with its first rows. scripts/write-schema makes this file from the migrations beside it.
CREATE TABLE regime (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO regime VALUES(0,'cold');
INSERT INTO regime VALUES(1,'warm');
INSERT INTO regime VALUES(2,'back_to_back');
CREATE TABLE stage  (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO stage VALUES(0,'screen');
INSERT INTO stage VALUES(1,'survivor');
INSERT INTO stage VALUES(2,'final');
CREATE TABLE status (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO status VALUES(0,'ok');
INSERT INTO status VALUES(1,'wrong');
INSERT INTO status VALUES(2,'implausible');
INSERT INTO status VALUES(3,'compile_error');
INSERT INTO status VALUES(4,'launch_error');
INSERT INTO status VALUES(5,'throttled');
INSERT INTO status VALUES(6,'fault');
INSERT INTO status VALUES(7,'timeout');
INSERT INTO status VALUES(8,'out_of_memory');
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
, identity TEXT) STRICT;
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
    measured_at      INTEGER NOT NULL, data_id INTEGER NOT NULL DEFAULT 0 REFERENCES data,
    CHECK (status_id <> 0 OR coalesce(median_us, 0) > 0)
) STRICT;
CREATE TABLE winner (
    device_id       INTEGER NOT NULL REFERENCES device,
    problem_id      INTEGER NOT NULL REFERENCES problem,
    regime_id       INTEGER NOT NULL REFERENCES regime,
    n               INTEGER NOT NULL CHECK (n >= 0),
    determinism     TEXT    NOT NULL CHECK (determinism IN ('any', 'run_to_run')),
    measurement_id  INTEGER NOT NULL REFERENCES measurement,
    decided_by      TEXT    NOT NULL,
    runner_up_ratio REAL, least_n INTEGER, most_n INTEGER, units INTEGER NOT NULL DEFAULT 1, spread REAL, data_ratios TEXT NOT NULL DEFAULT '{"uniform":null}'
    CHECK (json_type(data_ratios) = 'object'),                                 -- runner-up's time / winner's time
    PRIMARY KEY (device_id, problem_id, regime_id, n, determinism)
) STRICT, WITHOUT ROWID;
CREATE TABLE size_check (
    device_id   INTEGER NOT NULL REFERENCES device,
    problem_id  INTEGER NOT NULL REFERENCES problem,
    regime_id   INTEGER NOT NULL REFERENCES regime,
    n           INTEGER NOT NULL CHECK (n >= 0),
    picked_id   INTEGER NOT NULL REFERENCES measurement,  -- of the configuration that the look-up picked
    best_id     INTEGER NOT NULL REFERENCES measurement,  -- of the best one, timed in the same interleaved rounds
    expected_us REAL    NOT NULL,                         -- the time that the look-up expected
    PRIMARY KEY (device_id, problem_id, regime_id, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE unit_winner (
    id              INTEGER PRIMARY KEY,
    device_id       INTEGER NOT NULL REFERENCES device,
    device_unit_id  INTEGER REFERENCES device_unit,       -- NULL: unknown, or a replay
    problem_id      INTEGER NOT NULL REFERENCES problem,
    regime_id       INTEGER NOT NULL REFERENCES regime,
    n               INTEGER NOT NULL CHECK (n >= 0),
    determinism     TEXT    NOT NULL CHECK (determinism IN ('any', 'run_to_run')),
    measurement_id  INTEGER NOT NULL REFERENCES measurement,
    decided_by      TEXT    NOT NULL,
    runner_up_ratio REAL,
    least_n         INTEGER,
    most_n          INTEGER
, data_ratios TEXT NOT NULL DEFAULT '{"uniform":null}'
    CHECK (json_type(data_ratios) = 'object')) STRICT;
CREATE TABLE data (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO data VALUES(0,'uniform');
CREATE TABLE measurement_count (
    sweep_id         INTEGER NOT NULL REFERENCES sweep,
    regime_id        INTEGER NOT NULL REFERENCES regime,
    n                INTEGER NOT NULL,                    -- elements
    measurements     INTEGER NOT NULL,
    failures         INTEGER NOT NULL,                    -- measurements that are not ok
    last_measured_at INTEGER NOT NULL,
    PRIMARY KEY (sweep_id, regime_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX finalist_by_configuration ON measurement (configuration_id, regime_id, n) WHERE stage_id = 2;
CREATE VIEW size_checks AS
SELECT picked.device,
       picked.op,
       picked.dtype,
       problem.shape,
       picked.regime,
       picked.n,
       picked.bytes,
       picked.family AS picked_family,
       picked.parameters AS picked_parameters,
       best.family AS best_family,
       best.parameters AS best_parameters,
       picked.time_us AS picked_us,
       best.time_us AS best_us,
       picked.time_us / best.time_us - 1 AS regret,
       size_check.expected_us,
       picked.measured_at,
       picked.source
FROM size_check
JOIN problem ON problem.id = size_check.problem_id
JOIN measurements AS picked ON picked.measurement_id = size_check.picked_id
JOIN measurements AS best ON best.measurement_id = size_check.best_id;
CREATE UNIQUE INDEX sweep_by_identity ON sweep (identity);
CREATE UNIQUE INDEX unit_winner_by_cell
ON unit_winner (device_id, problem_id, regime_id, n, determinism, coalesce(device_unit_id, 0));
CREATE VIEW measurements AS
SELECT measurement.id AS measurement_id,
       device.name AS device,
       problem.op,
       problem.input_type AS dtype,
       problem.shape,
       problem.accumulator_type,
       problem.output_type,
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
       measurement.samples AS samples_us,
       data.name AS data
FROM measurement
JOIN data ON data.id = measurement.data_id
JOIN regime ON regime.id = measurement.regime_id
JOIN stage ON stage.id = measurement.stage_id
JOIN status ON status.id = measurement.status_id
JOIN sweep ON sweep.id = measurement.sweep_id
JOIN device ON device.id = sweep.device_id
JOIN problem ON problem.id = sweep.problem_id
JOIN toolchain ON toolchain.id = sweep.toolchain_id
JOIN configuration ON configuration.id = measurement.configuration_id
JOIN family ON family.id = configuration.family_id
;
CREATE VIEW winners AS
SELECT measurements.device,
       measurements.op,
       measurements.dtype,
       measurements.shape,
       measurements.accumulator_type,
       measurements.output_type,
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
       measurements.measurement_id,
       winner.units,
       winner.spread,
       measurements.data,
       winner.data_ratios
FROM winner
JOIN measurements ON measurements.measurement_id = winner.measurement_id;
CREATE VIEW failures AS
SELECT measurement_id, device, op, dtype, shape, accumulator_type, output_type, n, regime, stage, status, reason, family,
       parameters, grid, block, registers, static_shared_bytes, dynamic_shared_bytes, spill_bytes, measured_at, sweep_id, data
FROM measurements
WHERE status <> 'ok';
CREATE VIEW winner_data AS
SELECT winners.device,
       winners.op,
       winners.dtype,
       winners.shape,
       winners.accumulator_type,
       winners.output_type,
       winners.n,
       winners.regime,
       winners.determinism,
       ratios.key AS data,
       ratios.value AS of_best,
       CASE WHEN ratios.key = winners.data THEN winners.time_us
           ELSE (SELECT other.median_us
                 FROM measurement AS won
                 JOIN measurement AS other ON other.sweep_id = won.sweep_id AND other.n = won.n
                     AND other.regime_id = won.regime_id AND other.stage_id = won.stage_id
                     AND other.configuration_id = won.configuration_id
                 JOIN data ON data.id = other.data_id
                 WHERE won.id = winners.measurement_id AND data.name = ratios.key
                 ORDER BY other.id DESC LIMIT 1)
       END AS time_us,
       winners.measurement_id
FROM winners, json_each(winners.data_ratios) AS ratios;
CREATE VIEW unit_times AS
SELECT device.name AS device,
       problem.op,
       problem.input_type AS dtype,
       problem.shape,
       problem.accumulator_type,
       problem.output_type,
       unit_winner.n,
       regime.name AS regime,
       unit_winner.determinism,
       device_unit.uuid,
       (SELECT name FROM family WHERE family.id = configuration.family_id) AS family,
       configuration.parameters,
       measured.median_us AS time_us,
       min(finalist.median_us) AS best_us,
       measured.median_us / min(finalist.median_us) AS ratio,
       strftime('%Y-%m-%dT%H:%M:%SZ', measured.measured_at, 'unixepoch') AS measured_at,
       sweep.source,
       measured.id AS measurement_id
FROM unit_winner
JOIN winner USING (device_id, problem_id, regime_id, n, determinism)
JOIN measurement AS won ON won.id = winner.measurement_id
JOIN configuration ON configuration.id = won.configuration_id
JOIN measurement AS best_of_unit ON best_of_unit.id = unit_winner.measurement_id
JOIN sweep ON sweep.id = best_of_unit.sweep_id
JOIN measurement AS measured ON measured.sweep_id = best_of_unit.sweep_id AND measured.n = best_of_unit.n
    AND measured.regime_id = best_of_unit.regime_id AND measured.stage_id = best_of_unit.stage_id
    AND measured.configuration_id = won.configuration_id AND measured.status_id = 0
    AND measured.data_id = best_of_unit.data_id
JOIN measurement AS finalist ON finalist.sweep_id = best_of_unit.sweep_id AND finalist.n = best_of_unit.n
    AND finalist.regime_id = best_of_unit.regime_id AND finalist.stage_id = best_of_unit.stage_id
    AND finalist.status_id = 0 AND finalist.data_id = best_of_unit.data_id
JOIN configuration AS rival ON rival.id = finalist.configuration_id
    AND (rival.deterministic OR unit_winner.determinism = 'any')
JOIN device ON device.id = unit_winner.device_id
JOIN problem ON problem.id = unit_winner.problem_id
JOIN regime ON regime.id = unit_winner.regime_id
LEFT JOIN device_unit ON device_unit.id = unit_winner.device_unit_id
GROUP BY unit_winner.id, measured.id;
CREATE INDEX measurement_by_cell ON measurement (sweep_id, regime_id, n, stage_id);
CREATE TRIGGER count_inserted_measurement AFTER INSERT ON measurement BEGIN
    INSERT INTO measurement_count
    VALUES (new.sweep_id, new.regime_id, new.n, 1, new.status_id <> 0, new.measured_at)
    ON CONFLICT DO UPDATE SET measurements = measurements + 1, failures = failures + excluded.failures,
                              last_measured_at = max(last_measured_at, excluded.last_measured_at);
END;
CREATE TRIGGER count_deleted_measurement AFTER DELETE ON measurement BEGIN
    UPDATE measurement_count SET measurements = measurements - 1, failures = failures - (old.status_id <> 0)
    WHERE (sweep_id, regime_id, n) = (old.sweep_id, old.regime_id, old.n);
    DELETE FROM measurement_count
    WHERE (sweep_id, regime_id, n) = (old.sweep_id, old.regime_id, old.n) AND measurements = 0;
    -- Only the removal of a latest measurement can change the latest time.
    UPDATE measurement_count
    SET last_measured_at = (SELECT max(measured_at) FROM measurement
                            WHERE (sweep_id, regime_id, n) = (old.sweep_id, old.regime_id, old.n))
    WHERE (sweep_id, regime_id, n) = (old.sweep_id, old.regime_id, old.n) AND last_measured_at = old.measured_at;
END
;
CREATE TRIGGER count_changed_measurement AFTER UPDATE OF sweep_id, regime_id, n, status_id, measured_at ON measurement
WHEN (old.sweep_id, old.regime_id, old.n, old.status_id, old.measured_at)
     <> (new.sweep_id, new.regime_id, new.n, new.status_id, new.measured_at)
BEGIN
    DELETE FROM measurement_count
    WHERE (sweep_id, regime_id, n) IN (VALUES (old.sweep_id, old.regime_id, old.n), (new.sweep_id, new.regime_id, new.n));
    INSERT INTO measurement_count
    SELECT sweep_id, regime_id, n, count(*), sum(status_id <> 0), max(measured_at)
    FROM measurement
    WHERE (sweep_id, regime_id, n) IN (VALUES (old.sweep_id, old.regime_id, old.n), (new.sweep_id, new.regime_id, new.n))
    GROUP BY sweep_id, regime_id, n;
END;
CREATE VIEW sweeps AS
SELECT sweep.id AS sweep_id,
       device.name AS device,
       problem.op,
       problem.input_type AS dtype,
       problem.shape,
       problem.accumulator_type,
       problem.output_type,
       strftime('%Y-%m-%dT%H:%M:%SZ', sweep.started_at, 'unixepoch') AS started_at,
       sweep.finished_at - sweep.started_at AS seconds,
       sweep.status,
       sweep.source,
       (SELECT coalesce(sum(measurements), 0) FROM measurement_count WHERE sweep_id = sweep.id) AS measurements,
       (SELECT coalesce(sum(failures), 0) FROM measurement_count WHERE sweep_id = sweep.id) AS failures,
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
