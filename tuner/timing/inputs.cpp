#include "tuner/timing/inputs.h"

#include <algorithm>

#include "tuner/timing/constants.h"

namespace redtune::timing {

namespace {

constexpr std::uint64_t pool_seed = 1;
constexpr std::uint64_t exact_seed = 2;
// The hard sizes need some elements even where only tiny sizes are tuned.
constexpr std::uint64_t least_bytes = std::uint64_t{4} << 20;
// Inputs, results and the cache reader's buffer must leave room for others on the device.
constexpr std::uint64_t most_of_free = 2;
// Every type's alignment and every vector load's.
constexpr std::uint64_t alignment = 256;
// Elements before the second array of exact values, so that offsets differ from the first's.
constexpr std::uint64_t exact_slack = 8;
constexpr std::size_t most_kept = 512;
constexpr std::size_t most_kept_bytes = 4096;

std::uint64_t round_up(std::uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

std::uint64_t half_of_free() {
    return gpu::memory_info().free_bytes / most_of_free / alignment * alignment;
}

}  // namespace

std::uint64_t input_span_bytes(const Problem& problem, std::uint64_t n) {
    const std::uint64_t bytes = n * size_of(problem.input);
    return problem.arrays == 1 ? bytes : round_up(bytes) + bytes;
}

Inputs::Inputs(const SupportKernels& kernels, const Problem& problem, std::uint64_t largest_n, gpu::Stream& stream)
    : kernels_(kernels),
      problem_(problem),
      stream_(stream),
      element_bytes_(size_of(problem.input)),
      pool_(std::max({std::min(input_pool_bytes, half_of_free()), input_span_bytes(problem, largest_n), least_bytes})),
      exact_(std::max(std::min(round_up(bytes_read(problem, largest_n + exact_slack)), half_of_free()), least_bytes)),
      exact_n_(exact_.size() / element_bytes_ / problem.arrays - (problem.arrays == 1 ? 0 : exact_slack)) {
    kernels_.fill(pool_.address(), pool_.size() / element_bytes_, InputValues::timed, pool_seed, stream_.handle());
    kernels_.fill(exact_.address(), exact_.size() / element_bytes_, InputValues::exact, exact_seed, stream_.handle());
}

launch::InputArrays Inputs::timed(const TimingPlan& plan, std::uint64_t n, std::uint32_t input) const {
    const CUdeviceptr first = pool_.address() + input * plan.stride_bytes;
    return {first, problem_.arrays == 1 ? 0 : first + round_up(n * element_bytes_)};
}

launch::InputArrays Inputs::exact(std::uint64_t offset) const {
    const CUdeviceptr first = exact_.address() + offset * element_bytes_;
    if (problem_.arrays == 1) return {first, 0};
    return {first, first + exact_.size() / 2 - (offset == 0 ? 0 : element_bytes_)};
}

const gpu::DeviceBuffer& Inputs::expected_timed(const TimingPlan& plan, std::uint64_t n) {
    const TimedKey key{n, plan.stride_bytes, plan.inputs};
    if (timed_.size() == 0 || key != timed_key_) {
        timed_ = {};
        timed_ = kernels_.reference({timed(plan, n, 0), plan.stride_bytes / element_bytes_, plan.inputs, n},
                                    stream_.handle());
        timed_key_ = key;
    }
    return timed_;
}

const gpu::DeviceBuffer& Inputs::expected_exact(std::uint64_t offset, std::uint64_t n) {
    const auto found = exact_results_.find({offset, n});
    if (found != exact_results_.end()) return found->second;
    // Those of many rows are large, and not asked for again but for the next candidate of the same size.
    std::erase_if(exact_results_, [](const auto& entry) { return entry.second.size() > most_kept_bytes; });
    if (exact_results_.size() > most_kept) exact_results_.clear();
    return exact_results_[{offset, n}] = kernels_.reference({exact(offset), 0, 1, n}, stream_.handle());
}

void Inputs::restore_timed(const TimingPlan& plan, CUstream stream) const {
    kernels_.fill(pool_.address(), plan.inputs * plan.stride_bytes / element_bytes_, InputValues::timed, pool_seed,
                  stream);
}

}  // namespace redtune::timing
