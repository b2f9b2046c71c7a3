/* Compiled as C99: calls every function of redtune.h. */
#include "tests/runtime/c_interface_c99.h"

#include <string.h>

#include "redtune.h"

const char* c99_sum(const float* input, uint64_t n, float* result, const char* dtype) {
    redtune_problem problem;
    redtune_options options;
    redtune_reducer* sum = NULL;
    redtune_status status;
    memset(&problem, 0, sizeof problem);
    memset(&options, 0, sizeof options);
    problem.size = sizeof problem;
    problem.op = "sum";
    problem.dtype = dtype;
    options.size = sizeof options;
    options.workspaces = 2;
    status = redtune_reducer_create(&problem, &options, &sum);
    if (status == REDTUNE_OK) status = redtune_prepare(sum, 1, n);
    if (status == REDTUNE_OK) status = redtune_reduce(sum, input, NULL, n, result, NULL);
    if (status == REDTUNE_OK && redtune_workspace_bytes(sum) < redtune_workspace_zeroed_bytes(sum)) status = REDTUNE_FAILED;
    if (status == REDTUNE_OK) {
        /* Host memory that is too small for a workspace: refused before anything is enqueued. */
        status = redtune_reduce_in(sum, input, NULL, n, result, NULL, &problem, 0);
        status = status == REDTUNE_OK ? REDTUNE_FAILED : REDTUNE_OK;
    }
    if (status == REDTUNE_OK) status = redtune_prepare_device_count(sum, n);
    if (status == REDTUNE_OK) {
        /* Device memory of the simulated driver is host memory. */
        float again = 0;
        status = redtune_reduce_device_count(sum, input, NULL, &n, n, &again, NULL);
        if (status == REDTUNE_OK && again != *result) status = REDTUNE_FAILED;
        if (status == REDTUNE_OK) {
            status = redtune_reduce_device_count_in(sum, input, NULL, &n, n, &again, NULL, &problem, 0);
            status = status == REDTUNE_OK ? REDTUNE_FAILED : REDTUNE_OK;
        }
    }
    if (status == REDTUNE_OK && redtune_tune(NULL, NULL, 0, NULL, NULL) != REDTUNE_INVALID_ARGUMENT) status = REDTUNE_FAILED;
    if (sum != NULL) redtune_release(sum, NULL);
    redtune_reducer_destroy(sum);
    return status == REDTUNE_OK ? redtune_status_name(status) : redtune_last_error();
}
