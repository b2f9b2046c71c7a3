#include "tuner/timing/inputs.h"

#include <algorithm>

#include "tuner/timing/constants.h"
#include "tuner/timing/round_up.h"

namespace redtune::timing {

namespace {

constexpr std::uint64_t pool_seed = 1;
constexpr std::uint64_t exact_seed = 2;
// Spare elements of an exact array, so that the second array can be offset.
constexpr std::uint64_t exact_slack = 8;

std::uint64_t most_buffer_bytes() {
    return gpu::memory_info().free_bytes / buffer_part_of_free_memory / input_alignment * input_alignment;
}

/// Drops large results from a cache of results by size. These are of many rows: only the next candidate of the same
/// size would need them again, and the caller is about to add another size.
void make_room(auto& cache) {
    std::erase_if(cache, [](const auto& entry) { return entry.second.size() > max_kept_bytes; });
    if (cache.size() > max_kept_results) cache.clear();
}

}  // namespace

std::uint64_t input_span_bytes(const Problem& problem, std::uint64_t n) {
    const std::uint64_t bytes = n * size_of(problem.input);
    return problem.arrays == 1 ? bytes : round_up(bytes, input_alignment) + bytes;
}

Inputs::Inputs(const SupportKernels& kernels, const Problem& problem, std::uint64_t largest_n, gpu::Stream& stream)
    : kernels_(kernels),
      problem_(problem),
      stream_(stream),
      element_bytes_(size_of(problem.input)),
      pool_(std::max(
          {std::min(input_pool_bytes, most_buffer_bytes()), input_span_bytes(problem, largest_n), least_buffer_bytes})),
      exact_(std::max(
          std::min(round_up(bytes_read(problem, largest_n + exact_slack), input_alignment), most_buffer_bytes()),
          least_buffer_bytes)),
      exact_n_(exact_.size() / element_bytes_ / problem.arrays - (problem.arrays == 1 ? 0 : exact_slack)) {
    kernels_.fill(pool_.address(), pool_.size() / element_bytes_, InputValues::timed, pool_seed, stream_.handle());
    kernels_.fill(exact_.address(), exact_.size() / element_bytes_, InputValues::exact, exact_seed, stream_.handle());
}

launch::InputArrays Inputs::timed(const TimingPlan& plan, const Cell& cell, std::uint32_t input) const {
    const CUdeviceptr first = pool_.address() + input * plan.stride_bytes + cell.offset * element_bytes_;
    return {first,
            problem_.arrays == 1 ? 0 : first + round_up((cell.offset + cell.n) * element_bytes_, input_alignment)};
}

launch::InputArrays Inputs::exact(std::uint64_t offset) const {
    const CUdeviceptr first = exact_.address() + offset * element_bytes_;
    if (problem_.arrays == 1) return {first, 0};
    return {first, first + exact_.size() / 2 - (offset == 0 ? 0 : element_bytes_)};
}

void Inputs::use(const Data& data) {
    if (data.name == data_.name) return;
    data_ = data;
    values_ = {};
    filled_.reset();
    if (data_.values == nullptr) return;
    values_ = gpu::DeviceBuffer(data_.values->size());
    values_.copy_from_host(data_.values->data(), data_.values->size());
}

void Inputs::prepare_timed(const TimingPlan& plan, const Cell& cell) {
    const std::uint64_t n = data_.is_uniform() ? other_values_ : plan.inputs * plan.stride_bytes / element_bytes_;
    const std::pair wanted(layout(plan, cell), n);
    if (n == 0 || filled_ == wanted) return;
    filled_ = wanted;
    other_values_ = data_.is_uniform() ? 0 : std::max(other_values_, n);
    fill_timed(n, wanted.first, stream_.handle());
    stream_.synchronize();
}

InputLayout Inputs::layout(const TimingPlan& plan, const Cell& cell) const {
    const launch::InputArrays first = timed(plan, cell, 0);
    return {plan.stride_bytes / element_bytes_, cell.offset, problem_.row_length == 0 ? cell.n : problem_.row_length,
            first.second == 0 ? 0 : (first.second - first.first) / element_bytes_};
}

void Inputs::fill_timed(std::uint64_t n, const InputLayout& layout, CUstream stream) const {
    if (data_.is_uniform()) {
        kernels_.fill(pool_.address(), n, InputValues::timed, pool_seed, stream);
    } else if (data_.values != nullptr) {
        kernels_.fill(pool_.address(), n, layout, values_.address(), values_.size() / element_bytes_, stream);
    } else {
        kernels_.fill(pool_.address(), n, layout, data_.kind, pool_seed, stream);
    }
}

ReferenceRequest Inputs::timed_request(const TimingPlan& plan, const Cell& cell) const {
    return {timed(plan, cell, 0), plan.stride_bytes / element_bytes_, plan.inputs, cell.n};
}

Inputs::ExpectedResults& Inputs::find_expected_timed(const TimingPlan& plan, const Cell& cell) {
    prepare_timed(plan, cell);
    const TimedKey key{data_.name, cell.n, cell.offset, plan.stride_bytes, plan.inputs};
    const auto found = expected_timed_.find(key);
    if (found != expected_timed_.end()) return found->second;
    make_room(expected_timed_);
    return expected_timed_[key] = {kernels_.reference(timed_request(plan, cell), stream_.handle()), {}};
}

const gpu::DeviceBuffer& Inputs::expected_timed(const TimingPlan& plan, const Cell& cell) {
    return find_expected_timed(plan, cell).results;
}

const gpu::DeviceBuffer& Inputs::timed_term_sums(const TimingPlan& plan, const Cell& cell) {
    gpu::DeviceBuffer& sums = find_expected_timed(plan, cell).term_sums;
    if (sums.size() == 0) sums = kernels_.term_sums(timed_request(plan, cell), stream_.handle());
    return sums;
}

const gpu::DeviceBuffer& Inputs::expected_exact(std::uint64_t offset, std::uint64_t n) {
    const auto found = expected_exact_.find({offset, n});
    if (found != expected_exact_.end()) return found->second;
    make_room(expected_exact_);
    return expected_exact_[{offset, n}] = kernels_.reference({exact(offset), 0, 1, n}, stream_.handle());
}

void Inputs::restore_timed(const TimingPlan& plan, const Cell& cell, CUstream stream) const {
    fill_timed(plan.inputs * plan.stride_bytes / element_bytes_, layout(plan, cell), stream);
}

}  // namespace redtune::timing
