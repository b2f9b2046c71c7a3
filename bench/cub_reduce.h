#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redtune::comparison {

// Plain C++17, as far as CMake 3.25 takes nvcc; types and operators by redtune's names.

/// CUB's version as it numbers itself: 300001 is 3.0.1.
int cub_version();

/// Whether CUB has the operator for the input type here: sum, max and argmin of f32, f64, i32, i64, f16, bf16 and i8.
bool cub_has(std::string_view op, std::string_view dtype);

/// Bytes of workspace that CUB asks for. CUB sums f16 and bf16 in
/// their own type, and i8 in 32 bits.
std::size_t cub_workspace_bytes(std::string_view op, std::string_view dtype, std::uint64_t n);

/// Queues one call on n elements with CUB's default determinism (run to run). `output` has 16 bytes: the result, and
/// for argmin the index in the second 8. @throws std::runtime_error
void cub_reduce(std::string_view op, std::string_view dtype, void* workspace, std::size_t workspace_bytes,
                const void* array, void* output, std::uint64_t n, CUstream stream);

}  // namespace redtune::comparison
