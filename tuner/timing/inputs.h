#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "tuner/gpu/buffer.h"
#include "tuner/gpu/stream.h"
#include "tuner/timing/support_kernels.h"
#include "tuner/timing/timing_plan.h"

namespace redtune::timing {

/// Bytes from the first element of an input to the end of its last array, as Inputs lays it out.
std::uint64_t input_span_bytes(const Problem& problem, std::uint64_t n);

/// The device memory that candidates read, and the results they must give.
///
/// Timed inputs are windows of one pool; correctness is also tested on a second buffer of exact values, where device
/// memory has room for it. The arrays of a pair lie one behind the other.
class Inputs {
  public:
    /// Room for one input of `largest_n` elements at least. @throws DeviceError if the memory cannot be had.
    Inputs(const SupportKernels& kernels, const Problem& problem, std::uint64_t largest_n, gpu::Stream& stream);

    std::uint64_t pool_bytes() const { return pool_.size(); }
    /// The largest n of an exact input.
    std::uint64_t exact_n() const { return exact_n_; }

    launch::InputArrays timed(const TimingPlan& plan, std::uint64_t n, std::uint32_t input) const;
    /// Elements from an offset on. The second array of a pair is off alignment by one element less.
    launch::InputArrays exact(std::uint64_t offset = 0) const;

    /// References of the inputs of a plan, in their order: one for each row of each. Lives until the next call.
    const gpu::DeviceBuffer& expected_timed(const TimingPlan& plan, std::uint64_t n);
    /// References of n exact values from an offset on; of small n it is kept.
    const gpu::DeviceBuffer& expected_exact(std::uint64_t offset, std::uint64_t n);

    /// Queues what makes the inputs of a plan anew, for candidates that overwrite them.
    void restore_timed(const TimingPlan& plan, CUstream stream) const;

  private:
    const SupportKernels& kernels_;
    Problem problem_;
    gpu::Stream& stream_;
    std::uint64_t element_bytes_;
    gpu::DeviceBuffer pool_;
    gpu::DeviceBuffer exact_;
    std::uint64_t exact_n_;
    using TimedKey = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;
    TimedKey timed_key_;
    gpu::DeviceBuffer timed_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, gpu::DeviceBuffer> exact_results_;
};

}  // namespace redtune::timing
