#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tuner/core/measurement.h"

namespace redtune::search {

/// Measurements of one size in one regime that passed a stage, by their place in the input: those within `within` of
/// the best median (0.05: 5 % slower at most), best first, at most `most`. Only status ok counts; ties keep the
/// input's order.
std::vector<std::size_t> near_best(std::span<const Measurement> measurements, double within, std::size_t most);

/// What ties are decided by, the first that differs: deterministic, registers, order.
struct Simplicity {
    bool deterministic = true;
    std::uint32_t registers = 0;
};

struct Choice {
    std::size_t winner = 0;                 ///< index among the finalists
    std::string decided_by;                 ///< "time", "simplicity" or "only candidate"
    std::optional<double> runner_up_ratio;  ///< the next best median over the winner's
};

/// Times within this ratio are a tie.
inline constexpr double tie_ratio = 1.005;

/// Decides between finalists whose samples are paired (sample i of each taken beside sample i of the others): the
/// best median, unless a simpler one is tied with it. Tied: its median is within tie_ratio of the best, or the 95 %
/// bootstrap interval of the paired ratios reaches 1. Empty where no finalist is ok.
std::optional<Choice> choose(std::span<const Measurement> finalists, std::span<const Simplicity> simplicity);

}  // namespace redtune::search
