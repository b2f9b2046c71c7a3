#include "compare/session.h"

#include <chrono>
#include <stdexcept>

#include "tuner/timing/constants.h"

namespace redtune::compare {

Session::Session()
    : device_(gpu::device_at(0)),
      context_(0),
      flush_(static_cast<std::uint64_t>(timing::flush_span_of_l2 * static_cast<double>(device_.info.l2_bytes))),
      outputs_(timing::max_calls * output_bytes) {
    flush_.fill(0, stream_.handle());
    stream_.synchronize();
}

void Session::enter(report::Streams streams, const timing::SupportKernels& kernels) {
    if (!is_warm_) read_for(500, kernels, stream_);
    is_warm_ = true;
    if (streams == report::Streams::one) {
        if (streams_ != streams) throw std::logic_error("kernels were launched in several streams before");
        return;
    }
    read_for(2, kernels, other_stream_);
    read_for(2, kernels, stream_);
    streams_ = streams;
}

void Session::read_for(double milliseconds, const timing::SupportKernels& kernels, gpu::Stream& stream) const {
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::duration<double, std::milli>(milliseconds)) {
        for (int i = 0; i < 20; ++i) kernels.read(flush_, stream.handle());
        stream.synchronize();
    }
}

}  // namespace redtune::compare
