-- Keeps counts of the measurements, so that nothing has to count millions of rows.

-- Derived from `measurement`, from which it can be rebuilt. A row has the number of measurements of a sweep, regime and
-- size, so there are no rows without measurements.
CREATE TABLE measurement_count (
    sweep_id         INTEGER NOT NULL REFERENCES sweep,
    regime_id        INTEGER NOT NULL REFERENCES regime,
    n                INTEGER NOT NULL,                    -- elements
    measurements     INTEGER NOT NULL,
    failures         INTEGER NOT NULL,                    -- measurements that are not ok
    last_measured_at INTEGER NOT NULL,
    PRIMARY KEY (sweep_id, regime_id, n)
) STRICT, WITHOUT ROWID;
INSERT INTO measurement_count
SELECT sweep_id, regime_id, n, count(*), sum(status_id <> 0), max(measured_at)
FROM measurement
GROUP BY sweep_id, regime_id, n;

-- Finds the measurements of a sweep by regime, size and stage without reading them.
DROP INDEX measurement_by_size;
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
END;

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

DROP VIEW sweeps;
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
