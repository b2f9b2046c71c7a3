#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#include <limits>
#include <stdexcept>
#include <string>

#include "bench/cub_reduce.h"

namespace redtune::comparison {

namespace {

/// What CUB returns a sum in.
template <class T>
struct SumOf {
    using type = T;
};
template <>
struct SumOf<signed char> {
    using type = int;
};

template <class T, class Count>
cudaError_t call(std::string_view op, void* workspace, std::size_t& bytes, const void* array, void* output, Count n,
                 cudaStream_t stream) {
    const T* in = static_cast<const T*>(array);
    if (op == "sum") {
        using Result = typename SumOf<T>::type;
        return cub::DeviceReduce::Sum(workspace, bytes, in, static_cast<Result*>(output), n, stream);
    }
    if (op == "max") return cub::DeviceReduce::Max(workspace, bytes, in, static_cast<T*>(output), n, stream);
    auto* index = reinterpret_cast<long long*>(static_cast<char*>(output) + 8);
    return cub::DeviceReduce::ArgMin(workspace, bytes, in, static_cast<T*>(output), index, static_cast<long long>(n),
                                     stream);
}

// 32-bit counts where they do, which is CUB's faster path.
template <class T>
cudaError_t call(std::string_view op, void* workspace, std::size_t& bytes, const void* array, void* output,
                 std::uint64_t n, cudaStream_t stream) {
    if (n <= static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
        return call<T, int>(op, workspace, bytes, array, output, static_cast<int>(n), stream);
    }
    return call<T, long long>(op, workspace, bytes, array, output, static_cast<long long>(n), stream);
}

void dispatch(std::string_view op, std::string_view dtype, void* workspace, std::size_t& bytes, const void* array,
              void* output, std::uint64_t n, cudaStream_t stream) {
    cudaError_t error = cudaErrorInvalidValue;
    if (dtype == "f32") error = call<float>(op, workspace, bytes, array, output, n, stream);
    if (dtype == "f64") error = call<double>(op, workspace, bytes, array, output, n, stream);
    if (dtype == "i32") error = call<int>(op, workspace, bytes, array, output, n, stream);
    if (dtype == "i64") error = call<long long>(op, workspace, bytes, array, output, n, stream);
    if (dtype == "f16") error = call<__half>(op, workspace, bytes, array, output, n, stream);
    if (dtype == "bf16") error = call<__nv_bfloat16>(op, workspace, bytes, array, output, n, stream);
    if (dtype == "i8") error = call<signed char>(op, workspace, bytes, array, output, n, stream);
    if (error != cudaSuccess) throw std::runtime_error(std::string("CUB: ") + cudaGetErrorString(error));
}

}  // namespace

int cub_version() {
    return CUB_VERSION;
}

bool cub_has(std::string_view op, std::string_view dtype) {
    if (op != "sum" && op != "max" && op != "argmin") return false;
    for (const char* known : {"f32", "f64", "i32", "i64", "f16", "bf16", "i8"}) {
        if (dtype == known) return true;
    }
    return false;
}

std::size_t cub_workspace_bytes(std::string_view op, std::string_view dtype, std::uint64_t n) {
    std::size_t bytes = 0;
    dispatch(op, dtype, nullptr, bytes, nullptr, nullptr, n, nullptr);
    return bytes;
}

void cub_reduce(std::string_view op, std::string_view dtype, void* workspace, std::size_t workspace_bytes,
                const void* array, void* output, std::uint64_t n, CUstream stream) {
    dispatch(op, dtype, workspace, workspace_bytes, array, output, n, stream);
}

}  // namespace redtune::comparison
