#pragma once

#include <string>
#include <vector>

#include "redtune/catalog.h"
#include "tuner/bench/inputs.h"
#include "tuner/bench/workspace.h"
#include "tuner/gpu/context.h"
#include "tuner/gpu/device.h"
#include "tuner/search/kernel_loader.h"

namespace redtune::comparison {

/// One comparison: a size in bytes of input, in one regime, with the pointer `offset` elements off alignment.
struct Cell {
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::uint64_t offset = 0;
};

/// Both sides of a cell, from samples taken in turns in one run.
struct Outcome {
    double redtune_us = 0;
    double cub_us = 0;
    double ratio = 0;  ///< CUB's time over redtune's
    double ratio_low = 0;
    double ratio_high = 0;  ///< 95 % bootstrap interval of the paired ratios
    std::string configuration;
    std::string problem;  ///< why there is no outcome; else empty
};

/// Compares redtune's tuned configurations with CUB, for one problem on the first GPU.
class Comparison {
  public:
    /// @param largest_n elements of the largest cell
    Comparison(const Problem& problem, std::uint64_t largest_n, const jit::SourceSet& sources, jit::CubinCache& cache,
               const Catalog& catalog);

    const DeviceInfo& device() const { return device_.info; }

    Outcome run(const Cell& cell);

  private:
    std::optional<search::Trial> trial(const Match& match) const;

    Problem problem_;
    const Catalog& catalog_;
    gpu::Device device_;
    gpu::Context context_;
    std::vector<Family> families_;
    jit::Compiler compiler_;
    gpu::Stream stream_;
    bench::FixedKernels kernels_;
    bench::Inputs inputs_;
    search::KernelLoader loader_;
    bench::Workspace workspace_;
    gpu::DeviceBuffer flush_;
    gpu::DeviceBuffer outputs_;
};

}  // namespace redtune::comparison
