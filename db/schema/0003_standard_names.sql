-- The regime, two families and one parameter got the field's names: a CUDA stream alone is called a stream, and a
-- programmatic dependent launch is not a chain.
UPDATE regime SET name = 'back_to_back' WHERE name = 'stream';
UPDATE family SET name = 'grid_stride_wide' WHERE name = 'stream';
UPDATE family SET name = 'rows_wide' WHERE name = 'rows_stream';
UPDATE configuration
SET parameters = replace(parameters, '"chained":', '"pdl":'),
    launch_rule = replace(replace(launch_rule, '"chained":', '"pdl":'), '"overlap":', '"combine_pdl":');
