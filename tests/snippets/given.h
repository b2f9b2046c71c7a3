#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <redtune/redtune.hpp>

// What the C++ of the pages takes from CUDA. No program of this test calls it.

using cudaError_t = int;
using cudaStream_t = redtune::Stream;
using CUstream = redtune::Stream;
using CUresult = int;
using CUdeviceptr = unsigned long long;
struct fast_sum_code;

inline cudaError_t cudaSetDevice(int /*device*/) {
    return 0;
}
inline cudaError_t cudaMalloc(void** /*address*/, std::size_t /*bytes*/) {
    return 0;
}
inline cudaError_t cudaMemset(void* /*address*/, int /*value*/, std::size_t /*bytes*/) {
    return 0;
}
