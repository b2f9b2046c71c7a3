#include "tuner/search/between_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "tuner/lookup/tuned_size.h"
#include "tuner/search/confirmation.h"
#include "tuner/search/sizes_between.h"
#include "tuner/search/unplanned_cell.h"

namespace redtune::search {

namespace {

/// Between the searched sizes, the configurations are measured whose time at a neighbouring searched size is within the
/// factor near_best_within of the best time there. Each searched size contributes at most most_near_best of them.
constexpr double near_best_within = 1.05;
constexpr std::size_t most_near_best = 4;
/// Two neighbouring sizes need a size in the middle in three cases. First, the best times at the two sizes differ by
/// more than near_times, and at one of them the winner of the other is slower than its own winner by more than
/// near_winners. Second, a winner has no time at the other size. Third, the time of a winner has a step
/// (lookup::has_wave_step()). Sizes whose ratio is below nearest_sizes never need one.
constexpr double near_times = 1.05;
constexpr double near_winners = 1.02;
constexpr double nearest_sizes = 1.0005;
/// Limit on the sizes in the middle for each regime.
constexpr std::size_t most_middles = 100;

/// Returns the sizes between the requested ones that the executor can measure.
std::vector<std::uint64_t> measurable_sizes(const Executor& executor, const SweepRequest& request, Regime regime) {
    std::vector<std::uint64_t> sizes = sizes_between(request.sizes, shape_of(request.problem).unit(), request.between);
    std::erase_if(sizes, [&](std::uint64_t n) { return executor.refuses(n, regime).has_value(); });
    return sizes;
}

/// Returns the sizes that are searched with standard effort: one for each two neighbouring requested sizes, namely the
/// middle one of the sizes in `between` that lie between them.
std::vector<std::uint64_t> sizes_to_search(const std::vector<std::uint64_t>& requested,
                                           const std::vector<std::uint64_t>& between) {
    std::vector<std::uint64_t> searched;
    for (std::size_t i = 1; i < requested.size(); ++i) {
        const auto first = std::lower_bound(between.begin(), between.end(), requested[i - 1]);
        const auto last = std::lower_bound(between.begin(), between.end(), requested[i]);
        if (first != last) searched.push_back(*(first + (last - first) / 2));
    }
    return searched;
}

/// Returns the configuration that won a cell on the first of the units that has a winner.
std::optional<Configuration> winner_in(const BetweenStage::Histories& histories, const CellKey& cell) {
    for (const History* history : histories) {
        if (auto winner = history->winner(cell)) return winner;
    }
    return std::nullopt;
}

}  // namespace

bool BetweenStage::has_work(const Executor& executor, const Histories& histories, const SweepRequest& request) {
    bool has_sizes = false;
    for (const Regime regime : request.regimes) {
        const auto sizes = measurable_sizes(executor, request, regime);
        const auto searched = sizes_to_search(request.sizes, sizes);
        has_sizes = has_sizes || !sizes.empty();
        for (const std::uint64_t n : sizes) {
            const bool is_searched = std::binary_search(searched.begin(), searched.end(), n);
            if (!winner_in(histories, {n, regime})) return true;
            if (is_searched && !histories.front()->is_screened({n, regime})) return true;
        }
    }
    // The sizes that refine() adds depend on measured times, so only the status of the latest sweep says whether all
    // exist.
    return has_sizes && !histories.front()->has_finished_sweep();
}

void BetweenStage::run() {
    for (const Regime regime : request_.regimes) run(regime);
}

void BetweenStage::run(Regime regime) {
    std::vector<std::uint64_t> sizes = measurable_sizes(sweep_.executor, request_, regime);
    searched_ = request_.sizes;
    const std::vector<std::uint64_t> to_search = sizes_to_search(request_.sizes, sizes);
    const auto is_tuned = [&](std::uint64_t n) { return request_.resume && winner({n, regime}).has_value(); };
    divide("sizes to search", to_search, regime,
           {[&](std::uint64_t n) {
                return is_tuned(n) && sweep_.history.is_screened({n, regime});
            },
            [&](std::uint64_t n) { search(n, regime); }});
    searched_.insert(searched_.end(), to_search.begin(), to_search.end());
    std::sort(searched_.begin(), searched_.end());
    std::vector<std::uint64_t> others;
    std::set_difference(sizes.begin(), sizes.end(), searched_.begin(), searched_.end(), std::back_inserter(others));
    divide("sizes to tune", others, regime, {is_tuned, [&](std::uint64_t n) { tune(n, regime); }});
    if (!sizes.empty()) sizes.push_back(request_.sizes.back());
    refine(sizes, regime);
}

/// Decides sizes together with the other units. All units call it, with as many lists.
void BetweenStage::divide(const std::string& list, const std::vector<std::uint64_t>& sizes, Regime regime,
                          const SizeSteps& steps) {
    std::vector<CellKey> cells;
    for (const std::uint64_t n : sizes) cells.emplace_back(n, regime);
    const auto decide = [&](const CellKey& cell) {
        if (!sweep_.is_over()) steps.decide(cell.first);
    };
    sweep_.division.divide(
        list, cells,
        {[&](const CellKey& cell) { return steps.is_decided(cell.first); }, decide, [](const CellKey&) {}});
}

/// Searches one size with standard effort.
void BetweenStage::search(std::uint64_t n, Regime regime) {
    UnplannedCell unplanned(sweep_, families_, n, regime);
    const auto effort = std::min(sweep_.effort(), std::optional(Effort::standard));
    if (!sweep_.stop) CellRunner(sweep_, unplanned.cell, effort).run(*unplanned.strategy);
}

/// Tunes one size: measures the configurations that are near the best at the two nearest searched sizes.
void BetweenStage::tune(std::uint64_t n, Regime regime) {
    if (std::binary_search(searched_.begin(), searched_.end(), n)) return;
    if (request_.resume && winner({n, regime})) return;
    const auto above = std::upper_bound(searched_.begin(), searched_.end(), n);
    std::vector<Configuration> configurations = near_best_at(*(above - 1), regime);
    for (const auto& more :
         {near_best_at(*above, regime), sweep_.history.finalists_of_other_units({n, regime}).common}) {
        configurations.insert(configurations.end(), more.begin(), more.end());
    }
    const Cell cell = cell_of(sweep_, families_, {n, regime}, configurations);
    sweep_.executor.prepare(cell.trials, {}, sweep_.stop);
    if (!sweep_.stop) CellRunner(sweep_, cell).run_final();
}

/// Tunes further sizes between each two neighbours. A pair is one unit's work.
void BetweenStage::refine(const std::vector<std::uint64_t>& sizes, Regime regime) {
    std::map<std::uint64_t, std::uint64_t> next;  // the size above each size
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) next[sizes[i]] = sizes[i + 1];
    std::vector<std::uint64_t> lower;
    for (const auto& [low, high] : next) lower.push_back(low);
    divide(
        "pairs of sizes", lower, regime,
        {[](std::uint64_t) { return false; }, [&](std::uint64_t low) { refine_between(low, next.at(low), regime); }});
}

/// Tunes sizes, each in the middle of two neighbours for which needs_middle() is true, until there are none.
void BetweenStage::refine_between(std::uint64_t low, std::uint64_t high, Regime regime) {
    if (sweep_.is_over() || !needs_middle(low, high, regime)) return;
    const auto middle = size_in_the_middle(low, high, shape_of(request_.problem).unit());
    if (!middle || sweep_.executor.refuses(*middle, regime)) return;
    const std::string list = fmt::format("{} sizes in the middle", to_string(regime));
    if (!sweep_.division.take_one_of(list, most_middles)) return;
    tune(*middle, regime);
    refine_between(low, *middle, regime);
    refine_between(*middle, high, regime);
}

/// Times the winner of each of the two sizes at the other size, on this unit. Returns whether a look-up between the two
/// sizes may pick a configuration that is much slower than the best.
bool BetweenStage::needs_middle(std::uint64_t low, std::uint64_t high, Regime regime) {
    const auto low_winner = winner({low, regime});
    const auto high_winner = winner({high, regime});
    if (!low_winner || !high_winner) return false;
    time_winner_at(*low_winner, high, regime);
    time_winner_at(*high_winner, low, regime);
    const double growth = static_cast<double>(high) / static_cast<double>(low);
    if (growth < nearest_sizes) return false;
    const auto at_low = sweep_.history.finalist_times_us({low, regime});
    const auto at_high = sweep_.history.finalist_times_us({high, regime});
    for (const Configuration& winner : {*low_winner, *high_winner}) {
        const std::string name = to_string(winner);
        if (!at_low.contains(name) || !at_high.contains(name)) return true;
        if (lookup::has_wave_step({low, at_low.at(name)}, {high, at_high.at(name)})) return true;
    }
    const std::string of_low = to_string(*low_winner);
    const std::string of_high = to_string(*high_winner);
    const bool winners_differ = at_low.at(of_high) > at_low.at(of_low) * near_winners ||
                                at_high.at(of_low) > at_high.at(of_high) * near_winners;
    return winners_differ && at_high.at(of_high) > at_low.at(of_low) * near_times;
}

/// Times a configuration at another size, and the winner of that size, unless this unit has timed them there before.
/// Does nothing if the configuration is no candidate there. The two are not always timed in the same rounds, so that no
/// measurement is repeated. A sweep that is continued by another process may therefore tune a size in the middle that
/// it does not need, or leave one out: times of two processes can differ by more than near_winners.
void BetweenStage::time_winner_at(const Configuration& other, std::uint64_t n, Regime regime) {
    if (sweep_.is_over()) return;
    const auto times = sweep_.history.finalist_times_us({n, regime});
    std::vector<Configuration> missing;
    for (const Configuration& each : {other, *winner({n, regime})}) {
        const bool is_missing = !times.contains(to_string(each));
        if (is_missing && (missing.empty() || missing.back() != each)) missing.push_back(each);
    }
    if (missing.empty()) return;
    const Cell cell = cell_of(sweep_, families_, {n, regime}, missing);
    if (cell.trials.size() != missing.size()) return;
    sweep_.executor.prepare(cell.trials, {}, sweep_.stop);
    if (!sweep_.stop) CellRunner(sweep_, cell).compare_all();
}

/// Returns the configurations that are near the best at a searched size, on the unit that has timed most of them.
const std::vector<Configuration>& BetweenStage::near_best_at(std::uint64_t n, Regime regime) {
    const auto [entry, is_new] = near_best_.try_emplace({n, regime});
    if (!is_new) return entry->second;
    for (const History* history : histories_) {
        auto near = history->near_best({n, regime}, near_best_within, most_near_best);
        const bool is_own = history == &sweep_.history;
        if (near.size() > entry->second.size() || (is_own && near.size() == entry->second.size())) {
            entry->second = std::move(near);
        }
    }
    return entry->second;
}

/// Returns the configuration that won a cell on this unit, or else on another unit of the sweep.
std::optional<Configuration> BetweenStage::winner(const CellKey& cell) const {
    if (auto own = sweep_.history.winner(cell)) return own;
    return winner_in(histories_, cell);
}

}  // namespace redtune::search
