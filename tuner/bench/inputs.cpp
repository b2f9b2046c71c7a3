#include "tuner/bench/inputs.h"

#include <algorithm>
#include <bit>

#include "tuner/bench/constants.h"

namespace redtune::bench {

namespace {

constexpr std::uint64_t pool_seed = 1;
constexpr std::uint64_t exact_seed = 2;
// The hard sizes need some elements even where only tiny sizes are tuned.
constexpr std::uint64_t least_bytes = std::uint64_t{1} << 20;
// Inputs, results and the cache reader's buffer must leave room for others on the device.
constexpr std::uint64_t most_of_free = 2;

std::uint64_t pool_size(std::uint64_t input_bytes) {
    const std::uint64_t free = gpu::memory_info().free_bytes;
    return std::max({std::min(input_pool_bytes, free / most_of_free), input_bytes, least_bytes});
}

std::uint64_t exact_size(std::uint64_t input_bytes) {
    const std::uint64_t free = gpu::memory_info().free_bytes;
    return std::max(std::min(input_bytes, free / most_of_free / sizeof(double) * sizeof(double)), least_bytes);
}

}  // namespace

Inputs::Inputs(const FixedKernels& kernels, const Problem& problem, std::uint64_t largest_n, gpu::Stream& stream)
    : kernels_(kernels),
      problem_(problem),
      stream_(stream),
      element_bytes_(size_of(problem.input)),
      pool_(pool_size(largest_n * element_bytes_)),
      exact_(exact_size(largest_n * element_bytes_)) {
    kernels_.fill(pool_.address(), pool_.size() / element_bytes_, InputValues::random, pool_seed, stream_.handle());
    kernels_.fill(exact_.address(), exact_n(), InputValues::exact, exact_seed, stream_.handle());
}

const std::vector<Expected>& Inputs::expected_timed(const TimingPlan& plan, std::uint64_t n) {
    const auto [place, is_new] = timed_.try_emplace({n, plan.stride_bytes, plan.inputs});
    if (is_new) place->second = sums(pool_.address(), plan.stride_bytes, n, plan.inputs);
    return place->second;
}

Expected Inputs::expected_exact(std::uint64_t offset, std::uint64_t n) {
    const auto [place, is_new] = exact_sums_.try_emplace({offset, n});
    if (is_new) place->second = sums(exact(offset), 0, n, 1).front();
    return place->second;
}

std::vector<Expected> Inputs::sums(CUdeviceptr first, std::uint64_t stride_bytes, std::uint64_t n,
                                   std::uint32_t inputs) {
    const std::uint32_t blocks = kernels_.reference_blocks();
    std::vector<std::uint64_t> words(std::uint64_t{inputs} * blocks);
    const gpu::DeviceBuffer partials(words.size() * sizeof(words[0]));
    kernels_.reference(first, stride_bytes / element_bytes_, n, inputs, partials.address(), stream_.handle());
    stream_.synchronize();
    partials.copy_to_host(words.data(), partials.size());
    std::vector<Expected> expected(inputs);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (problem_.input == Type::f32) {
            expected[i / blocks].real += std::bit_cast<double>(words[i]);
        } else {
            expected[i / blocks].integer += words[i];
        }
    }
    return expected;
}

}  // namespace redtune::bench
