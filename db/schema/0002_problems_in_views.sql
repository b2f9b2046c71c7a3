-- Adds the remaining columns of a problem (shape, accumulator and output type) to the views.
DROP VIEW sweeps;
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
       measurements.measurement_id
FROM winner
JOIN measurements ON measurements.measurement_id = winner.measurement_id;

CREATE VIEW failures AS
SELECT measurement_id, device, op, dtype, shape, accumulator_type, output_type, n, regime, stage, status, reason, family,
       parameters, grid, block, registers, static_shared_bytes, dynamic_shared_bytes, spill_bytes, measured_at, sweep_id
FROM measurements
WHERE status <> 'ok';

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
