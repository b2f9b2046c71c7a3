/* A kernel launch that emitted code made on a stand-in of CUDA. C and C++. */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t kernel; /* index of the kernel + 1 */
    uint32_t grid;
    uint32_t block;
    uint32_t cluster;
    uint32_t shared_bytes;
    uint32_t pdl;
    uint64_t stream;
    uint64_t arguments[8];
} RecordedLaunch;

enum { most_recorded_launches = 16 };

/* The launches since the test set `launch_count` to 0, and the error that the next launch returns. */
typedef struct {
    RecordedLaunch launches[most_recorded_launches];
    uint32_t launch_count;
    int next_error;
} Recording;
