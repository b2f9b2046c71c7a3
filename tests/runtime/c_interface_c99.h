#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sums n floats by the C interface, from C. Returns "ok", or the reason for the failure.
const char* c99_sum(const float* input, uint64_t n, float* result, const char* dtype);

#ifdef __cplusplus
}
#endif
