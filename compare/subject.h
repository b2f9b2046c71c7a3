#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tuner/timing/timed_graph.h"

namespace redtune::compare {

/// One side of a comparison: what call `call` of a graph queues. Everything it needs was allocated beforehand.
using Call =
    std::function<void(std::uint32_t call, const launch::InputArrays& input, CUdeviceptr output, CUstream stream)>;

/// What both sides are timed with.
struct BenchmarkContext {
    const timing::SupportKernels& kernels;
    const gpu::DeviceBuffer& flush;  ///< twice the L2, read before each sample but warm ones
    gpu::Stream& stream;
    gpu::DeviceBuffer& outputs;  ///< as Session has them
    std::function<launch::InputArrays(std::uint32_t input)> input;
    timing::TimingPlan timing;
    Regime regime = Regime::cold;
};

/// A graph of K calls of one side between two events, as docs/method.md says.
class Subject {
  public:
    Subject(const BenchmarkContext& context, const Call& call);

    /// Microseconds of a call.
    double sample();

    /// Takes a sample and keeps it.
    void take() { taken_.push_back(sample()); }
    const std::vector<double>& taken() const { return taken_; }

  private:
    gpu::Stream& stream_;
    std::uint32_t calls_;
    std::unique_ptr<gpu::Event> begin_ = std::make_unique<gpu::Event>();
    std::unique_ptr<gpu::Event> end_ = std::make_unique<gpu::Event>();
    gpu::Graph graph_;
    std::vector<double> taken_;
};

}  // namespace redtune::compare
