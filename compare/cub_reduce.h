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

/// A reduction of CUB: sum, max or argmin of f32, f64, i32, i64, f16, bf16 or i8. CUB sums f16 and bf16 in their own
/// type, and i8 in 32 bits.
struct CubCall {
    std::string_view op;
    std::string_view dtype;
    std::string_view determinism;  ///< one of cub_determinisms()
};

/// Returns the kinds of determinism that this version of CUB supports for the operator and type, "default" first.
std::vector<std::string_view> cub_determinisms(std::string_view op, std::string_view dtype);

/// Returns the bytes of workspace that CUB needs for n elements. @throws std::runtime_error
std::size_t cub_workspace_bytes(const CubCall& call, std::uint64_t n);

/// Enqueues one call on n elements and allocates nothing. `output` must have 16 bytes: the result is written to the
/// first 8, the index of argmin to the second 8. @throws std::runtime_error
void cub_reduce(const CubCall& call, void* workspace, std::size_t workspace_bytes, const void* array, void* output,
                std::uint64_t n, CUstream stream);

}  // namespace redtune::compare
