/* Sums floats from C. */
#include <cuda_runtime_api.h>
#include <redtune.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(redtune_status status) {
    if (status == REDTUNE_OK) return;
    fprintf(stderr, "%s: %s\n", redtune_status_name(status), redtune_last_error());
    exit(1);
}

int main(void) {
    enum { n = 100000 };
    static float values[n];
    float* input = NULL;
    float* output = NULL;
    float result = 0;
    size_t i;
    redtune_problem problem;
    redtune_reducer* sum = NULL;

    for (i = 0; i < n; ++i) values[i] = 1;
    if (cudaMalloc((void**)&input, sizeof values) != cudaSuccess || cudaMalloc((void**)&output, sizeof result) != cudaSuccess ||
        cudaMemcpy(input, values, sizeof values, cudaMemcpyHostToDevice) != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    memset(&problem, 0, sizeof problem);
    problem.size = sizeof problem;
    problem.op = "sum";
    problem.dtype = "f32";
    check(redtune_reducer_create(&problem, NULL, &sum));
    check(redtune_prepare(sum, n, n));
    check(redtune_reduce(sum, input, NULL, n, output, NULL));
    if (cudaMemcpy(&result, output, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    redtune_reducer_destroy(sum);
    printf("redtune %s: sum = %g\n", redtune_version(), (double)result);
    return result == n ? 0 : 1;
}
