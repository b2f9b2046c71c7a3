#pragma once

#include "tuner/gpu/buffer.h"
#include "tuner/gpu/context.h"
#include "tuner/gpu/device.h"
#include "tuner/gpu/stream.h"
#include "tuner/report/comparison.h"
#include "tuner/timing/support_kernels.h"

namespace redtune::compare {

/// What the comparisons of a process share on the first GPU: one context, and one stream in it, which all is timed in.
/// Launches of a process take longer once kernels have been launched in a second stream (docs/method.md), so that a
/// stream for each problem would favour the first problem.
class Session {
  public:
    static constexpr std::uint64_t output_bytes = 256;  ///< from one call's result to the next

    Session();

    const DeviceInfo& device() const { return device_.info; }
    gpu::Stream& stream() { return stream_; }
    const gpu::DeviceBuffer& flush() const { return flush_; }  ///< twice the L2
    gpu::DeviceBuffer& outputs() { return outputs_; }          ///< for the most calls of a sample

    /// Brings the process into the state that a cell is to be measured in, with a device that is warm; ahead of each,
    /// as the state of several streams wears off. It never ends at once: @throws std::logic_error on the way back to
    /// one
    void enter(report::Streams streams, const timing::SupportKernels& kernels);

  private:
    void read_for(double milliseconds, const timing::SupportKernels& kernels, gpu::Stream& stream) const;

    gpu::Device device_;
    gpu::Context context_;
    gpu::Stream stream_;
    gpu::Stream other_stream_;
    gpu::DeviceBuffer flush_;
    gpu::DeviceBuffer outputs_;
    bool is_warm_ = false;
    report::Streams streams_ = report::Streams::one;
};

}  // namespace redtune::compare
