#include "compare/session.h"

#include <chrono>
#include <stdexcept>

namespace redtune::compare {

namespace {

// Time during which kernels are launched in each stream: enough for dozens of launches. On an H200, two launches
// already showed the effect (docs/method.md, "One stream or several").
constexpr double several_streams_ms = 2;
constexpr int launches_per_wait = 20;
constexpr std::size_t buffer_bytes = std::size_t{32} << 20;

}  // namespace

Session::Session() : device_(gpu::device_at(0)), context_(0), nvml_(device_.info.uuid), buffer_(buffer_bytes) {
    buffer_.fill(0, stream_.handle());
    stream_.synchronize();
}

void Session::prepare_streams(report::Streams streams, const timing::SupportKernels& kernels) {
    if (streams == report::Streams::one) {
        if (streams_ != streams) throw std::logic_error("this process has launched kernels in several streams");
        return;
    }
    launch_reads_for(several_streams_ms, kernels, second_stream_);
    launch_reads_for(several_streams_ms, kernels, stream_);
    streams_ = streams;
}

void Session::launch_reads_for(double milliseconds, const timing::SupportKernels& kernels, gpu::Stream& stream) const {
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::duration<double, std::milli>(milliseconds)) {
        for (int i = 0; i < launches_per_wait; ++i) kernels.read(buffer_, stream.handle());
        stream.synchronize();
    }
}

}  // namespace redtune::compare
