#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "tuner/bench/fixed_kernels.h"
#include "tuner/bench/timing_plan.h"
#include "tuner/gpu/buffer.h"
#include "tuner/gpu/stream.h"

namespace redtune::bench {

/// The exact sum of an input: a double for floats, wrapped to the type's width for integers.
struct Expected {
    double real = 0;
    std::uint64_t integer = 0;
};

/// The device memory that candidates read, and the results they must give.
///
/// Timed inputs are windows of one pool of random values; correctness is also tested on a second buffer of exact
/// values, where device memory has room for it.
class Inputs {
  public:
    /// Room for one input of `largest_n` elements at least. @throws DeviceError if the memory cannot be had.
    Inputs(const FixedKernels& kernels, const Problem& problem, std::uint64_t largest_n, gpu::Stream& stream);

    std::uint64_t pool_bytes() const { return pool_.size(); }
    /// Elements of the buffer of exact values.
    std::uint64_t exact_n() const { return exact_.size() / element_bytes_; }

    CUdeviceptr timed(const TimingPlan& plan, std::uint32_t input) const {
        return pool_.address() + input * plan.stride_bytes;
    }
    CUdeviceptr exact(std::uint64_t offset = 0) const { return exact_.address() + offset * element_bytes_; }

    /// What the inputs of a plan sum to, in their order. Computed once for a size and plan.
    const std::vector<Expected>& expected_timed(const TimingPlan& plan, std::uint64_t n);
    /// What n exact values from an offset sum to.
    Expected expected_exact(std::uint64_t offset, std::uint64_t n);

  private:
    std::vector<Expected> sums(CUdeviceptr first, std::uint64_t stride_bytes, std::uint64_t n, std::uint32_t inputs);

    const FixedKernels& kernels_;
    Problem problem_;
    gpu::Stream& stream_;
    std::uint64_t element_bytes_;
    gpu::DeviceBuffer pool_;
    gpu::DeviceBuffer exact_;
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>, std::vector<Expected>> timed_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Expected> exact_sums_;
};

}  // namespace redtune::bench
