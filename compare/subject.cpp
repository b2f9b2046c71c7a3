#include "compare/subject.h"

#include "compare/session.h"

namespace redtune::compare {

Subject::Subject(const BenchmarkContext& context, const Call& call)
    : stream_(context.stream),
      calls_(context.timing.calls),
      graph_(gpu::Graph::capture(context.stream, [&](CUstream recording) {
          if (context.regime != Regime::warm) context.kernels.read(context.flush, recording);
          gpu::record_event_in_graph(*begin_, recording);
          for (std::uint32_t i = 0; i < context.timing.calls; ++i) {
              call(i, context.input(i % context.timing.inputs), context.outputs.address() + i * Session::output_bytes,
                   recording);
          }
          gpu::record_event_in_graph(*end_, recording);
      })) {}

double Subject::sample() {
    graph_.launch(stream_);
    stream_.synchronize();
    return gpu::elapsed_us(*begin_, *end_) / calls_;
}

}  // namespace redtune::compare
