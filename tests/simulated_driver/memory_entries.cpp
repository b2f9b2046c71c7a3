// Entry points for memory: device memory is host memory.
#include <algorithm>
#include <cstring>
#include <memory>

#include "tests/simulated_driver/state.h"

using simulated_driver::Call;
using simulated_driver::state;

namespace {

/// New memory has this pattern, so that a program that takes it for zeros fails. Only the beginning of large memory has
/// it: the tests use no more of the buffers that evict the L2 cache, and filling those takes most of a test's time.
constexpr std::uint64_t pattern = 0xabababababababab;
constexpr std::size_t most_filled_words = std::size_t{2} << 20;

/// Forgets the workspaces in this memory, and counts those that a kernel may still use.
void end_workspaces(CUdeviceptr begin, std::size_t bytes) {
    auto& workspaces = state().workspaces;
    for (auto use = workspaces.lower_bound(begin); use != workspaces.end() && use->first < begin + bytes;) {
        const simulated_driver::Use& last = use->second;
        if (last.stream != nullptr && last.number > last.stream->completed) ++state().counts.workspaces_freed_in_use;
        use = workspaces.erase(use);
    }
}

}  // namespace

extern "C" {

CUresult cuMemAlloc_v2(CUdeviceptr* address, std::size_t bytes) {
    const Call call;
    simulated_driver::break_captures("cuMemAlloc");
    const std::size_t count = (bytes + 255) / 256 * 32 + 32;
    auto words = std::make_unique_for_overwrite<std::uint64_t[]>(count);
    std::fill_n(words.get(), std::min(count, most_filled_words), pattern);
    // CUDA's allocations are aligned to 256 bytes.
    const auto begin = reinterpret_cast<CUdeviceptr>(words.get());
    *address = (begin + 255) / 256 * 256;
    state().memory[begin] = {std::move(words), count * sizeof(std::uint64_t)};
    ++state().counts.allocations;
    state().counts.live_bytes += bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr address) {
    const Call call;
    simulated_driver::break_captures("cuMemFree");
    auto found = state().memory.upper_bound(address);
    if (found == state().memory.begin()) {
        simulated_driver::violation("memory is freed that was not allocated");
        return CUDA_ERROR_INVALID_VALUE;
    }
    const std::size_t bytes = (--found)->second.bytes;
    end_workspaces(found->first, bytes);
    state().counts.live_bytes -= bytes - 256;
    state().memory.erase(found);
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    *free = *total = std::size_t{141} << 30;
    return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    return CUDA_SUCCESS;
}
}
