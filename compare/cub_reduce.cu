#include "compare/cub_reduce.h"

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#include <cuda/std/functional>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thrust/iterator/counting_iterator.h>
#include <type_traits>

#include "compare/cub_arguments.h"

// REDTUNE_CUB_HAS_REQUIREMENTS is 1 if CUB has calls that take an execution environment, which states the required
// determinism. CUB 3.1 has such calls only for 32-bit counts.
#if CUB_VERSION >= 300200
#define REDTUNE_CUB_HAS_REQUIREMENTS 1
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>
#include <cuda/functional>
#include <cuda/memory_resource>
#include <cuda/std/limits>
#include <cuda/stream_ref>
#else
#define REDTUNE_CUB_HAS_REQUIREMENTS 0
#endif

namespace redtune::compare {

#if REDTUNE_CUB_HAS_REQUIREMENTS

/// A memory resource that returns the workspace of the caller. CUB's calls with an environment allocate their workspace
/// through a memory resource. If `workspace` is null, allocate() returns null, CUB launches nothing, and `bytes`
/// receives the size that CUB asked for.
class GivenWorkspace {
  public:
    GivenWorkspace(void* workspace, std::size_t& bytes) : workspace_(workspace), bytes_(&bytes) {}

    void* allocate(cuda::stream_ref, std::size_t bytes, std::size_t /*alignment*/ = 0) {
        if (workspace_ != nullptr && bytes > *bytes_) throw std::bad_alloc();
        *bytes_ = bytes;
        return workspace_;
    }
    void deallocate(cuda::stream_ref, void*, std::size_t, std::size_t /*alignment*/ = 0) {}

    // The concept of a memory resource requires the members below; CUB does not call them.
    void* allocate_sync(std::size_t, std::size_t) { throw std::bad_alloc(); }
    void deallocate_sync(void*, std::size_t, std::size_t) {}
    friend bool operator==(const GivenWorkspace& a, const GivenWorkspace& b) { return a.workspace_ == b.workspace_; }
    friend bool operator!=(const GivenWorkspace& a, const GivenWorkspace& b) { return !(a == b); }

  private:
    void* workspace_;
    std::size_t* bytes_;
};

#endif

namespace {

bool is_sum(std::string_view op) {
    return op == "sum" || op == "mean";
}

/// The product of two elements with the same index.
template <class T>
struct ProductAt {
    const T* first;
    const T* second;

    template <class Index>
    __device__ typename SumOf<T>::type operator()(Index i) const {
        using Sum = typename SumOf<T>::type;
        return Sum(first[i]) * Sum(second[i]);
    }
};

template <class T, class Count>
cudaError_t reduce_by_default(std::string_view op, const Arguments& to, Count n) {
    using Sum = typename SumOf<T>::type;
    const T* in = static_cast<const T*>(to.array);
    auto* sum = static_cast<Sum*>(to.output);
    auto* value = static_cast<T*>(to.output);
    auto* index = reinterpret_cast<long long*>(static_cast<char*>(to.output) + 8);
    if (is_sum(op)) return cub::DeviceReduce::Sum(to.workspace, to.bytes, in, sum, n, to.stream);
    if (op == "product") {
        return cub::DeviceReduce::Reduce(to.workspace, to.bytes, in, sum, n, cuda::std::multiplies<>{}, Sum(1),
                                         to.stream);
    }
    if (op == "dot") {
        return cub::DeviceReduce::TransformReduce(to.workspace, to.bytes, thrust::counting_iterator<Count>(0), sum, n,
                                                  cuda::std::plus<>{},
                                                  ProductAt<T>{in, static_cast<const T*>(to.second_array)}, Sum(0),
                                                  to.stream);
    }
    if (op == "min") return cub::DeviceReduce::Min(to.workspace, to.bytes, in, value, n, to.stream);
    if (op == "max") return cub::DeviceReduce::Max(to.workspace, to.bytes, in, value, n, to.stream);
    if (op == "argmin") {
        return cub::DeviceReduce::ArgMin(to.workspace, to.bytes, in, value, index, static_cast<long long>(n),
                                         to.stream);
    }
    return cub::DeviceReduce::ArgMax(to.workspace, to.bytes, in, value, index, static_cast<long long>(n), to.stream);
}

#if REDTUNE_CUB_HAS_REQUIREMENTS

template <class Guarantee>
auto environment(const Arguments& to, Guarantee guarantee) {
    namespace execution = cuda::std::execution;
    return execution::env{execution::prop{cuda::get_stream_t{}, cuda::stream_ref{to.stream}},
                          execution::prop{cuda::mr::get_memory_resource_t{}, GivenWorkspace(to.workspace, to.bytes)},
                          cuda::execution::require(guarantee)};
}

template <class T, class Count, class Guarantee>
cudaError_t reduce_with_guarantee(std::string_view op, const Arguments& to, Count n, Guarantee guarantee) {
    const T* in = static_cast<const T*>(to.array);
    if (is_sum(op)) {
        using Result = typename SumOf<T>::type;
        return cub::DeviceReduce::Reduce(in, static_cast<Result*>(to.output), n, cuda::std::plus<>{}, Result{},
                                         environment(to, guarantee));
    }
    return cub::DeviceReduce::Reduce(in, static_cast<T*>(to.output), n, cuda::maximum<>{},
                                     cuda::std::numeric_limits<T>::lowest(), environment(to, guarantee));
}

/// Returns whether this program requires a determinism of CUB for the operator: for sums, and for max as an example of
/// all others, for which CUB runs its run_to_run kernels whatever is required.
bool can_require(std::string_view op) {
    return is_sum(op) || op == "max";
}

/// True if CUB supports the determinism gpu_to_gpu for T, as it does for integers, f32 and f64. For other types the
/// call does not compile.
template <class T>
constexpr bool has_gpu_to_gpu = !std::is_same_v<T, __half> && !std::is_same_v<T, __nv_bfloat16>;

#endif

template <class T, class Count>
cudaError_t reduce_with_determinism(const CubCall& call, const Arguments& to, Count n) {
#if REDTUNE_CUB_HAS_REQUIREMENTS
    if (can_require(call.op)) {
        namespace determinism = cuda::execution::determinism;
        if (call.determinism == "not_guaranteed") {
            return reduce_with_guarantee<T>(call.op, to, n, determinism::not_guaranteed_t{});
        }
        if (call.determinism == "run_to_run")
            return reduce_with_guarantee<T>(call.op, to, n, determinism::run_to_run_t{});
        if constexpr (has_gpu_to_gpu<T>) {
            if (call.determinism == "gpu_to_gpu")
                return reduce_with_guarantee<T>(call.op, to, n, determinism::gpu_to_gpu_t{});
        }
    }
#endif
    return reduce_by_default<T>(call.op, to, n);
}

// Passes n as a 32-bit count if it fits, because CUB is faster with 32-bit counts.
template <class T>
cudaError_t reduce_typed(const CubCall& call, const Arguments& to, std::uint64_t n) {
    if (n <= static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
        return reduce_with_determinism<T>(call, to, static_cast<int>(n));
    }
    return reduce_with_determinism<T>(call, to, static_cast<long long>(n));
}

/// Enqueues the call. If `to.workspace` is null, only sets `to.bytes` to the size that the call needs.
void dispatch(const CubCall& call, const Arguments& to, std::uint64_t n) {
    cudaError_t error = cudaSuccess;
    if (call.row_length != 0) {
        error = cub_reduce_rows(call, to, n / call.row_length);
    } else {
        error = with_type(call.dtype, [&](auto* type) {
            return reduce_typed<std::remove_pointer_t<decltype(type)>>(call, to, n);
        });
    }
    if (error != cudaSuccess) throw std::runtime_error(std::string("CUB: ") + cudaGetErrorString(error));
}

constexpr std::size_t pair_alignment = 16;

/// Returns the bytes of the results that the call writes to the end of its workspace; 0 if it writes none there.
std::size_t result_bytes(const CubCall& call, std::uint64_t n) {
    return call.row_length == 0 ? 0 : row_pair_bytes(call, n / call.row_length);
}

}  // namespace

int cub_version() {
    return CUB_VERSION;
}

std::vector<std::string_view> cub_determinisms(const CubCall& call) {
    // CUB's documentation guarantees run_to_run for the default, in every version and for every operator.
    std::vector<std::string_view> known = {"default", "run_to_run"};
#if REDTUNE_CUB_HAS_REQUIREMENTS
    if (can_require(call.op) && call.row_length == 0) {
        known.insert(known.begin() + 1, "not_guaranteed");
        if (call.dtype != "f16" && call.dtype != "bf16") known.push_back("gpu_to_gpu");
    }
#else
    static_cast<void>(call);
#endif
    return known;
}

std::size_t cub_workspace_bytes(const CubCall& call, std::uint64_t n) {
    std::size_t bytes = 0;
    dispatch(call, {nullptr, bytes, nullptr, nullptr, nullptr}, n);
    const std::size_t results = result_bytes(call, n);
    return results == 0 ? bytes : (bytes / pair_alignment + 1) * pair_alignment + results;
}

void cub_reduce(const CubCall& call, void* workspace, std::size_t workspace_bytes, const void* array, void* output,
                std::uint64_t n, CUstream stream, const void* second_array) {
    if (const std::size_t results = result_bytes(call, n); results != 0) {
        workspace_bytes -= results;
        output = static_cast<char*>(workspace) + workspace_bytes;
    }
    dispatch(call, {workspace, workspace_bytes, array, output, stream, second_array}, n);
}

}  // namespace redtune::compare
