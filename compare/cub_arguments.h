// Declarations that the sources of cub_reduce.h share. Only nvcc compiles them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "compare/cub_reduce.h"

namespace redtune::compare {

/// The type in which CUB sums and multiplies elements of type T.
template <class T>
struct SumOf {
    using type = T;
};
template <>
struct SumOf<signed char> {
    using type = int;
};

/// The arguments of a call. With a null workspace, the call only sets `bytes` to the size that it needs.
struct Arguments {
    void* workspace;
    std::size_t& bytes;
    const void* array;
    void* output;
    cudaStream_t stream;
    const void* second_array = nullptr;  ///< the second operands of dot
};

/// Calls `reduce` with a null pointer to the type that has this name, and returns its result.
template <class Reduce>
cudaError_t with_type(std::string_view dtype, const Reduce& reduce) {
    if (dtype == "f32") return reduce(static_cast<float*>(nullptr));
    if (dtype == "f64") return reduce(static_cast<double*>(nullptr));
    if (dtype == "i32") return reduce(static_cast<int*>(nullptr));
    if (dtype == "i64") return reduce(static_cast<long long*>(nullptr));
    if (dtype == "f16") return reduce(static_cast<__half*>(nullptr));
    if (dtype == "bf16") return reduce(static_cast<__nv_bfloat16*>(nullptr));
    if (dtype == "i8") return reduce(static_cast<signed char*>(nullptr));
    return cudaErrorInvalidValue;
}

/// Returns the bytes of the results that cub_reduce_rows() writes to the workspace: the pairs of argmin and argmax.
std::size_t row_pair_bytes(const CubCall& call, std::uint64_t rows);

/// Enqueues a call on rows. `to.output` receives one result for each row: a value, or a pair of index and value.
cudaError_t cub_reduce_rows(const CubCall& call, const Arguments& to, std::uint64_t rows);

}  // namespace redtune::compare
