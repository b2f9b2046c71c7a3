-- For look-ups between the tuned sizes.

-- The sizes for which the winner's configuration is a candidate; NULL: not known.
ALTER TABLE winner ADD COLUMN least_n INTEGER;
ALTER TABLE winner ADD COLUMN most_n INTEGER;

-- Finds the times of a configuration as a finalist of other sizes.
CREATE INDEX finalist_by_configuration ON measurement (configuration_id, regime_id, n) WHERE stage_id = 2;

-- What a look-up picks at sizes that were not tuned, compared with the best that a search finds there.
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
