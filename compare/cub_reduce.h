#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace redtune::compare {

// This header must stay C++17, the newest standard that CMake 3.25 supports for nvcc. Types, operators and kinds of
// determinism have the same names as on the command line.

/// Returns CUB's version number, CUB_VERSION: 300001 is 3.0.1.
int cub_version();

/// A reduction by CUB. The type is f32, f64, i32, i64, f16, bf16 or i8. The operator is sum, product, min, max, mean,
/// argmin, argmax or dot for a whole array, and sum, min, max, argmin or argmax for rows. CUB sums and multiplies f16
/// and bf16 in their own type, and i8 in 32 bits. It has no mean, so `mean` calls its sum; `dot` calls its
/// TransformReduce over the indices of both arrays.
struct CubCall {
    std::string_view op;
    std::string_view dtype;
    std::string_view determinism;  ///< one of cub_determinisms()
    std::uint64_t row_length = 0;  ///< 0: the whole array; else at most 2^31 - 1
};

/// Returns the kinds of determinism that this version of CUB supports for the call, "default" first. The call's own
/// determinism is ignored.
std::vector<std::string_view> cub_determinisms(const CubCall& call);

/// Returns the bytes of workspace that CUB needs for n elements. @throws std::runtime_error
std::size_t cub_workspace_bytes(const CubCall& call, std::uint64_t n);

/// Enqueues one call on n elements and allocates nothing. `second_array` is null unless the operator is dot. For a
/// whole array, `output` must have 16 bytes: the call writes the result to the first 8, and the index of argmin and
/// argmax to the last 8. The results of rows are written to `output`, except that argmin and argmax of rows write pairs
/// of index and value to the end of the workspace.
/// @throws std::runtime_error
void cub_reduce(const CubCall& call, void* workspace, std::size_t workspace_bytes, const void* array, void* output,
                std::uint64_t n, CUstream stream, const void* second_array = nullptr);

}  // namespace redtune::compare
