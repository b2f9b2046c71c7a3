#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuner/bench/inputs.h"
#include "tuner/bench/runnable.h"
#include "tuner/bench/workspace.h"
#include "tuner/gpu/stream.h"

namespace redtune::bench {

/// The correctness oracle: runs candidates on exact values, where any order of summation gives the same bits, with
/// output and workspace poisoned, every case twice in a row on one workspace.
class Checker {
  public:
    Checker(Inputs& inputs, const Problem& problem, gpu::Stream& stream);

    /// At one size. @return empty if right, else the case, what was expected and what came.
    std::optional<std::string> check_size(const Runnable& runnable, std::uint64_t n);

    /// At 0, 1, around a tile, primes, off alignment; for floats also NaN and infinities.
    std::optional<std::string> check_hard_sizes(const Runnable& runnable);

  private:
    struct Case {
        std::string name;
        CUdeviceptr input;
        std::uint64_t n;
        Expected expected;
    };
    Case exact_case(std::uint64_t offset, std::uint64_t n);
    std::optional<std::string> run(const Runnable& runnable, const std::vector<Case>& cases);

    Inputs& inputs_;
    Problem problem_;
    gpu::Stream& stream_;
    Workspace workspace_;
    gpu::DeviceBuffer outputs_;
    gpu::DeviceBuffer special_;  ///< exact values with NaN and infinities among them
    std::vector<Case> special_cases_;
};

}  // namespace redtune::bench
