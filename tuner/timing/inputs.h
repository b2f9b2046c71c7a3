#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "tuner/gpu/buffer.h"
#include "tuner/gpu/stream.h"
#include "tuner/timing/data.h"
#include "tuner/timing/support_kernels.h"
#include "tuner/timing/timing_plan.h"

namespace redtune::timing {

/// Returns the bytes from the first element of an input of n elements to the end of its last array, as Inputs lays the
/// arrays out.
std::uint64_t input_span_bytes(const Problem& problem, std::uint64_t n);

/// The inputs that candidates read, in device memory, and the results that are expected of them.
///
/// Timed inputs are windows of one pool. A second buffer holds exact values for the correctness checks; it is smaller
/// than the largest input if device memory is short. The second array of a pair follows the first.
class Inputs {
  public:
    /// Allocates and fills both buffers, with room for at least one timed input of `largest_n` elements.
    /// @throws DeviceError if the memory cannot be allocated.
    Inputs(const SupportKernels& kernels, const Problem& problem, std::uint64_t largest_n, gpu::Stream& stream);

    std::uint64_t pool_bytes() const { return pool_.size(); }
    /// Returns the largest n of an exact input.
    std::uint64_t exact_n() const { return exact_n_; }

    /// Returns the addresses of the plan's input number `input`.
    launch::InputArrays timed(const TimingPlan& plan, const Cell& cell, std::uint32_t input) const;
    /// Returns exact values from element `offset` on. Unless `offset` is 0, the second array of a pair is offset by one
    /// element less than the first, so that their alignments differ.
    launch::InputArrays exact(std::uint64_t offset = 0) const;

    /// Selects the data of the timed inputs; uniform at first. The inputs are filled when prepare_timed() is called.
    void use(const Data& data);
    const Data& data() const { return data_; }
    /// Fills the plan's inputs with the data, unless they have it already. Waits for the stream. Uniform inputs have
    /// the same values for all plans. Other data are made for each input of the plan: each has an outlier of its own,
    /// for example.
    void prepare_timed(const TimingPlan& plan, const Cell& cell);

    /// Returns the expected results of the plan's inputs, in their order: one for each row or column of each input.
    /// They are valid until the next call for another plan, cell or data. Small results are cached for later calls.
    const gpu::DeviceBuffer& expected_timed(const TimingPlan& plan, const Cell& cell);
    /// Returns the sums of the terms of the expected results (SupportKernels::term_sums()). They are valid as long as
    /// the results of expected_timed(). The problem must be a sum of floats.
    const gpu::DeviceBuffer& timed_term_sums(const TimingPlan& plan, const Cell& cell);
    /// Returns the expected results of n exact values from element `offset` on. Small results are cached for later
    /// calls.
    const gpu::DeviceBuffer& expected_exact(std::uint64_t offset, std::uint64_t n);

    /// Enqueues the kernel that writes the original values of the plan's inputs again, for candidates that overwrite
    /// them.
    void restore_timed(const TimingPlan& plan, const Cell& cell, CUstream stream) const;

  private:
    struct ExpectedResults {
        gpu::DeviceBuffer results;
        gpu::DeviceBuffer term_sums;  ///< empty until requested
        std::uint64_t size() const { return results.size(); }
    };

    ExpectedResults& find_expected_timed(const TimingPlan& plan, const Cell& cell);
    InputLayout layout(const TimingPlan& plan, const Cell& cell) const;
    void fill_timed(std::uint64_t n, const InputLayout& layout, CUstream stream) const;
    ReferenceRequest timed_request(const TimingPlan& plan, const Cell& cell) const;

    const SupportKernels& kernels_;
    Problem problem_;
    gpu::Stream& stream_;
    std::uint64_t element_bytes_;
    gpu::DeviceBuffer pool_;
    gpu::DeviceBuffer exact_;
    std::uint64_t exact_n_;
    Data data_;
    gpu::DeviceBuffer values_;  ///< the elements of the data's file
    /// The number of elements, from the beginning of the pool, that may have other than the uniform values.
    std::uint64_t other_values_ = 0;
    /// The layout for which the pool was filled with data_, and the number of filled elements; empty if it was not.
    std::optional<std::pair<InputLayout, std::uint64_t>> filled_;
    /// Name of the data, size, offset, stride and number of inputs.
    using TimedKey = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t>;
    std::map<TimedKey, ExpectedResults> expected_timed_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, gpu::DeviceBuffer> expected_exact_;
};

}  // namespace redtune::timing
