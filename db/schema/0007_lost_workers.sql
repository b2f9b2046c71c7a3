-- The statuses of trials that took the worker process down (docs/method.md).
INSERT INTO status VALUES (6, 'fault'), (7, 'timeout'), (8, 'out_of_memory');
