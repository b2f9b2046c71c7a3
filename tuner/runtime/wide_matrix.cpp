#include "tuner/runtime/wide_matrix.h"

#include <algorithm>
#include <utility>

#include "tuner/core/launch_rule.h"
#include "tuner/lookup/selector_content.h"

namespace redtune::runtime {

namespace {

/// The length of a row from which on a warp reads one matrix at a time: a cache line.
constexpr std::uint64_t least_row_bytes = 128;
/// Limits the columns of the wide matrix, so that their number times a number of rows does not overflow.
constexpr std::uint64_t most_columns = std::uint64_t{1} << 40;

/// Returns whether all configurations divide the columns of all matrices into strips. The other ones have blocks that
/// take all columns of a matrix.
bool have_strips(const Selector& selector, std::uint64_t columns) {
    return std::ranges::all_of(selector.content().sources, [&](const SelectorSource& source) {
        return std::ranges::all_of(
            source.tuned.sizes, [&](const lookup::TunedSize& size) { return size.rule.columns_per_block != columns; });
    });
}

}  // namespace

WideMatrix::WideMatrix(Problem problem, Selector selector)
    : problem_(std::move(problem)), selector_(std::move(selector)) {}

std::optional<WideMatrix> WideMatrix::make(const Problem& problem, std::uint64_t matrices, const Select& select) {
    if (matrices <= 1 || problem.columns * size_of(problem.input) < least_row_bytes) return std::nullopt;
    // An odd multiple is divisible by the same powers of two as the number of columns, so that rows of the wide matrix
    // consist of whole vectors only if those of the matrices do.
    const std::uint64_t odd = matrices | 1;
    if (odd > most_columns / problem.columns) return std::nullopt;
    Problem wide = problem;
    wide.columns *= odd;
    Selector selector = select(wide);
    if (!have_strips(selector, wide.columns)) return std::nullopt;
    return WideMatrix(std::move(wide), std::move(selector));
}

std::optional<Match> WideMatrix::find(const Extents& extents) const noexcept {
    std::optional<Match> match = selector_.find(extents.reduced * problem_.columns);
    if (!match) return std::nullopt;
    if (!write_plan(*match->rule, {1, extents.reduced, extents.results()}, match->plan)) return std::nullopt;
    for (Launch& step : match->plan.steps) {
        if (step.columns != 0) step.columns = extents.inner;
    }
    return match;
}

}  // namespace redtune::runtime
