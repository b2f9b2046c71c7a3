#include "tuner/search/exhaustive_strategy.h"

#include <algorithm>
#include <span>

#include "tuner/search/sampling.h"

namespace redtune::search {

namespace {

/// The kernels of a batch are compiled before any of it is screened. With smaller batches the first screening comes
/// earlier, and more of the other kernels are compiled beside the measurements.
constexpr std::size_t largest_batch = 32;

}  // namespace

ExhaustiveStrategy::ExhaustiveStrategy(const CellKnowledge& knowledge)
    : order_(all_in_prior_order(knowledge.cell.trials, knowledge.prior, knowledge.begin)) {}

std::vector<std::size_t> ExhaustiveStrategy::next() {
    const std::span<const std::size_t> rest = std::span(order_).subspan(begin_);
    const auto batch = rest.first(std::min(largest_batch, rest.size()));
    begin_ += batch.size();
    return {batch.begin(), batch.end()};
}

std::optional<std::size_t> ExhaustiveStrategy::spare(const std::function<bool(std::size_t)>& is_ready) {
    const std::span<const std::size_t> left = std::span(order_).subspan(begin_);
    const auto found = std::ranges::find_if(left, is_ready);
    if (found == left.end()) return std::nullopt;
    return *found;
}

}  // namespace redtune::search
