-- Records on which data a measurement was taken, and on which data a winner was compared with the other finalists.

-- Names of data: a kind, or "file:NAME@HASH" for the elements of a file.
CREATE TABLE data (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO data VALUES (0, 'uniform');

ALTER TABLE measurement ADD COLUMN data_id INTEGER NOT NULL DEFAULT 0 REFERENCES data;

-- {name of the data: the winner's time over the best finalist's time on it}. The ratio is null if it was not stored, as
-- for winners of earlier versions, which were compared on uniform data only.
ALTER TABLE winner ADD COLUMN data_ratios TEXT NOT NULL DEFAULT '{"uniform":null}'
    CHECK (json_type(data_ratios) = 'object');

ALTER TABLE unit_winner ADD COLUMN data_ratios TEXT NOT NULL DEFAULT '{"uniform":null}'
    CHECK (json_type(data_ratios) = 'object');

-- The views get the new columns behind their others.
DROP VIEW unit_times;
DROP VIEW failures;
DROP VIEW winners;
DROP VIEW measurements;

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
JOIN family ON family.id = configuration.family_id;

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

-- One row for each winner and each data on which it was compared with the other finalists.
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

-- The winner's time on each unit, next to the best time on that unit, both on the data of the unit winner's measurement.
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
