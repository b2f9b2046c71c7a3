-- For devices of which several GPUs (units) are measured, perhaps in different files.

-- Equal in all copies of a sweep and in no other sweep, so that a merge recognises copies.
ALTER TABLE sweep ADD COLUMN identity TEXT;
UPDATE sweep SET identity = made.identity
FROM (
    SELECT sweep.id,
           json_array(sweep.started_at, device.name, device.compute_major, device.compute_minor, device.sm_count,
                      device.memory_gib, device.l2_bytes, device.mig_profile, device_unit.uuid, problem.op,
                      problem.input_type, problem.accumulator_type, problem.output_type, problem.shape,
                      toolchain.redtune_version, toolchain.nvrtc_version, toolchain.driver_version, sweep.source,
                      sweep.command,
                      row_number() OVER (PARTITION BY sweep.started_at, sweep.device_id, sweep.device_unit_id,
                                                      sweep.problem_id, sweep.toolchain_id, sweep.source, sweep.command
                                         ORDER BY sweep.id)) AS identity
    FROM sweep
    JOIN device ON device.id = sweep.device_id
    JOIN problem ON problem.id = sweep.problem_id
    JOIN toolchain ON toolchain.id = sweep.toolchain_id
    LEFT JOIN device_unit ON device_unit.id = sweep.device_unit_id
) AS made
WHERE made.id = sweep.id;
CREATE UNIQUE INDEX sweep_by_identity ON sweep (identity);

-- The finalist that was chosen on one unit. `winner` is derived from the finalists of all units.
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
) STRICT;
CREATE UNIQUE INDEX unit_winner_by_cell
ON unit_winner (device_id, problem_id, regime_id, n, determinism, coalesce(device_unit_id, 0));
INSERT INTO unit_winner (device_id, device_unit_id, problem_id, regime_id, n, determinism, measurement_id, decided_by,
                         runner_up_ratio, least_n, most_n)
SELECT winner.device_id, sweep.device_unit_id, winner.problem_id, winner.regime_id, winner.n, winner.determinism,
       winner.measurement_id, winner.decided_by, winner.runner_up_ratio, winner.least_n, winner.most_n
FROM winner
JOIN measurement ON measurement.id = winner.measurement_id
JOIN sweep ON sweep.id = measurement.sweep_id;

ALTER TABLE winner ADD COLUMN units INTEGER NOT NULL DEFAULT 1;  -- on whose finalists the choice rests
-- The largest ratio, over these units, of the winner's time to the unit's best time; NULL: one unit.
ALTER TABLE winner ADD COLUMN spread REAL;

DROP VIEW winners;
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
       winner.spread
FROM winner
JOIN measurements ON measurements.measurement_id = winner.measurement_id;

-- The winner's time on each unit, next to the best time on that unit.
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
JOIN measurement AS finalist ON finalist.sweep_id = best_of_unit.sweep_id AND finalist.n = best_of_unit.n
    AND finalist.regime_id = best_of_unit.regime_id AND finalist.stage_id = best_of_unit.stage_id
    AND finalist.status_id = 0
JOIN configuration AS rival ON rival.id = finalist.configuration_id
    AND (rival.deterministic OR unit_winner.determinism = 'any')
JOIN device ON device.id = unit_winner.device_id
JOIN problem ON problem.id = unit_winner.problem_id
JOIN regime ON regime.id = unit_winner.regime_id
LEFT JOIN device_unit ON device_unit.id = unit_winner.device_unit_id
GROUP BY unit_winner.id, measured.id;
