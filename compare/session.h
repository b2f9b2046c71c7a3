#pragma once

#include "tuner/gpu/buffer.h"
#include "tuner/gpu/context.h"
#include "tuner/gpu/device.h"
#include "tuner/gpu/nvml.h"
#include "tuner/gpu/stream.h"
#include "tuner/report/comparison.h"
#include "tuner/timing/support_kernels.h"

namespace redtune::compare {

/// The first GPU, with one context and one stream in which everything is timed.
///
/// All problems share the stream: once kernels have been launched in a second stream of the context, every launch takes
/// longer (docs/method.md, "One stream or several"), so a stream for each problem would favour the first problem.
class Session {
  public:
    Session();

    const DeviceInfo& device() const { return device_.info; }
    const gpu::NvmlDevice& nvml() const { return nvml_; }
    gpu::Stream& stream() { return stream_; }

    /// Prepares the context for a comparison in a process that has launched kernels in one stream, or in several. For
    /// several streams, launches kernels in two. Call it before each cell, because the slow-down wears off during long
    /// pauses.
    /// @throws std::logic_error for one stream after several, because nothing ends the slow-down reliably.
    void prepare_streams(report::Streams streams, const timing::SupportKernels& kernels);

  private:
    /// Launches kernels that read `buffer_` in a stream, one after another, until this time has passed.
    void launch_reads_for(double milliseconds, const timing::SupportKernels& kernels, gpu::Stream& stream) const;

    gpu::Device device_;
    gpu::Context context_;
    gpu::NvmlDevice nvml_;
    gpu::Stream stream_;
    gpu::Stream second_stream_;
    gpu::DeviceBuffer buffer_;  ///< input of the kernels that launch_reads_for() launches
    report::Streams streams_ = report::Streams::one;
};

}  // namespace redtune::compare
