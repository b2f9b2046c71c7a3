#include "bench/contender.h"

#include "bench/session.h"

namespace redtune::comparison {

Contender::Contender(const Circuit& circuit, const Call& call)
    : stream_(circuit.stream),
      calls_(circuit.timing.calls),
      graph_(gpu::Graph::capture(circuit.stream, [&](CUstream recording) {
          if (circuit.regime != Regime::warm) circuit.kernels.read(circuit.flush, recording);
          gpu::record_event_in_graph(*begin_, recording);
          for (std::uint32_t i = 0; i < circuit.timing.calls; ++i) {
              call(i, circuit.input(i % circuit.timing.inputs), circuit.outputs.address() + i * Session::output_bytes,
                   recording);
          }
          gpu::record_event_in_graph(*end_, recording);
      })) {}

double Contender::sample() {
    graph_.launch(stream_);
    stream_.synchronize();
    return gpu::elapsed_us(*begin_, *end_) / calls_;
}

}  // namespace redtune::comparison
