-- Records with which effort the search of a winner's cell was made.

-- NULL: not known, or the cell was searched with less than quick effort.
ALTER TABLE unit_winner ADD COLUMN effort TEXT CHECK (effort IN ('quick', 'standard', 'thorough', 'exhaustive'));
ALTER TABLE winner ADD COLUMN effort TEXT CHECK (effort IN ('quick', 'standard', 'thorough', 'exhaustive'));

-- The commands of earlier sweeps tell their effort. It is not that of the sizes between the requested ones, which are not
-- searched; these are no powers of two. Nor is it that of a sweep of some families, or one that a budget may have ended. If
-- several units have a winner of the cell, it is the greatest effort of these, because the other units timed the finalists
-- of that search; it is not known if that of one unit is not known.
CREATE TEMP TABLE searched AS
SELECT device_id, problem_id, unit_winner.regime_id, unit_winner.n, determinism, value AS effort, max(key)
FROM unit_winner
JOIN measurement ON measurement.id = measurement_id
JOIN (SELECT id, command FROM sweep) AS sweep ON sweep.id = sweep_id
LEFT JOIN json_each('["quick","standard","thorough","exhaustive"]')
    ON instr(command, ' --effort ' || value || ' ')
    AND (unit_winner.n & (unit_winner.n - 1) = 0 OR instr(command, ' --between 0 '))
    AND NOT instr(command, ' --family ') AND NOT instr(command, ' --budget ')
GROUP BY device_id, problem_id, unit_winner.regime_id, unit_winner.n, determinism
HAVING count(*) = count(value);
CREATE INDEX temp.searched_by_cell ON searched (device_id, problem_id, regime_id, n, determinism);
UPDATE unit_winner SET effort = searched.effort FROM searched
WHERE (unit_winner.device_id, unit_winner.problem_id, unit_winner.regime_id, unit_winner.n, unit_winner.determinism) =
      (searched.device_id, searched.problem_id, searched.regime_id, searched.n, searched.determinism);
UPDATE winner SET effort = searched.effort FROM searched
WHERE (winner.device_id, winner.problem_id, winner.regime_id, winner.n, winner.determinism) =
      (searched.device_id, searched.problem_id, searched.regime_id, searched.n, searched.determinism);
DROP TABLE temp.searched;

-- The view gets the new column behind its others.
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
       winner.spread,
       measurements.data,
       winner.data_ratios,
       winner.effort
FROM winner
JOIN measurements ON measurements.measurement_id = winner.measurement_id;
