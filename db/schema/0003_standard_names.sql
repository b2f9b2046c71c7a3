-- Renames a regime, two families, a parameter and two members of the launch rule: "stream" now means only a CUDA stream,
-- and "pdl" stands for a programmatic dependent launch.
UPDATE regime SET name = 'back_to_back' WHERE name = 'stream';
UPDATE family SET name = 'grid_stride_wide' WHERE name = 'stream';
UPDATE family SET name = 'rows_wide' WHERE name = 'rows_stream';
UPDATE configuration
SET parameters = replace(parameters, '"chained":', '"pdl":'),
    launch_rule = replace(replace(launch_rule, '"chained":', '"pdl":'), '"overlap":', '"combine_pdl":');
