#include "tuner/search/between_stage.h"

#include <algorithm>
#include <set>
#include <utility>

#include "db/single_candidate.h"
#include "tuner/jit/source_set.h"
#include "tuner/lookup/tuned_size.h"
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

}  // namespace

bool BetweenStage::has_work(const Executor& executor, const History& history, const SweepRequest& request) {
    bool has_sizes = false;
    for (const Regime regime : request.regimes) {
        const auto sizes = measurable_sizes(executor, request, regime);
        const auto searched = sizes_to_search(request.sizes, sizes);
        has_sizes = has_sizes || !sizes.empty();
        for (const std::uint64_t n : sizes) {
            const bool is_searched = std::binary_search(searched.begin(), searched.end(), n);
            if (!history.winner({n, regime}) || (is_searched && !history.is_screened({n, regime}))) return true;
        }
    }
    // The sizes that refine() adds depend on measured times, so only the status of the latest sweep says whether all
    // exist.
    return has_sizes && !history.has_finished_sweep();
}

void BetweenStage::run() {
    for (const Regime regime : request_.regimes) run(regime);
}

void BetweenStage::run(Regime regime) {
    std::vector<std::uint64_t> sizes = measurable_sizes(sweep_.executor, request_, regime);
    if (sizes.empty()) return;
    searched_ = request_.sizes;
    for (const std::uint64_t n : sizes_to_search(request_.sizes, sizes)) {
        if (sweep_.is_over()) return;
        search(n, regime);
        searched_.push_back(n);
    }
    std::sort(searched_.begin(), searched_.end());
    for (const std::uint64_t n : sizes) {
        if (sweep_.is_over()) return;
        tune(n, regime);
    }
    sizes.push_back(request_.sizes.back());
    refine(std::move(sizes), regime);
}

/// Searches one size with standard effort.
void BetweenStage::search(std::uint64_t n, Regime regime) {
    if (request_.resume && sweep_.history.winner({n, regime}) && sweep_.history.is_screened({n, regime})) return;
    UnplannedCell unplanned(sweep_, families_, n, regime);
    if (!sweep_.stop) CellRunner(sweep_, unplanned.cell).run(*unplanned.strategy);
}

/// Tunes one size: measures the configurations that are near the best at the two nearest searched sizes.
void BetweenStage::tune(std::uint64_t n, Regime regime) {
    if (std::binary_search(searched_.begin(), searched_.end(), n)) return;
    if (request_.resume && sweep_.history.winner({n, regime})) return;
    const auto above = std::upper_bound(searched_.begin(), searched_.end(), n);
    std::vector<Configuration> configurations = near_best_at(*(above - 1), regime);
    for (const auto& more :
         {near_best_at(*above, regime), sweep_.history.common_finalists_of_other_units({n, regime})}) {
        configurations.insert(configurations.end(), more.begin(), more.end());
    }
    const Cell cell = cell_of(n, regime, configurations);
    sweep_.executor.prepare(cell.trials, {}, sweep_.stop);
    if (!sweep_.stop) CellRunner(sweep_, cell).run_final();
}

/// Tunes further sizes, each in the middle of two neighbours for which needs_middle() is true, until there are none.
void BetweenStage::refine(std::vector<std::uint64_t> sizes, Regime regime) {
    std::size_t middles = 0;
    for (std::size_t i = 0; i + 1 < sizes.size();) {
        if (sweep_.is_over()) return;
        const auto middle = size_in_the_middle(sizes[i], sizes[i + 1], shape_of(request_.problem).unit());
        if (!needs_middle(sizes[i], sizes[i + 1], regime) || !middle || middles == most_middles ||
            sweep_.executor.refuses(*middle, regime)) {
            ++i;
            continue;
        }
        tune(*middle, regime);
        ++middles;
        sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(i) + 1, *middle);
    }
}

/// Times the winner of each of the two sizes at the other size. Returns whether a look-up between the two sizes may
/// pick a configuration that is much slower than the best.
bool BetweenStage::needs_middle(std::uint64_t low, std::uint64_t high, Regime regime) {
    const auto low_winner = sweep_.history.winner({low, regime});
    const auto high_winner = sweep_.history.winner({high, regime});
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

/// Times a configuration at another size, in interleaved rounds with the winner of that size. Does nothing if the
/// configuration is no candidate there or has been a finalist there before.
void BetweenStage::time_winner_at(const Configuration& winner, std::uint64_t n, Regime regime) {
    if (sweep_.is_over() || sweep_.history.finalist_times_us({n, regime}).contains(to_string(winner))) return;
    const Cell cell = cell_of(n, regime, {winner, *sweep_.history.winner({n, regime})});
    if (cell.trials.size() != 2) return;
    sweep_.executor.prepare(cell.trials, {}, sweep_.stop);
    if (!sweep_.stop) CellRunner(sweep_, cell).compare_all();
}

/// Returns a cell whose trials are those of the given configurations that are candidates for n, without those that
/// have failed there.
Cell BetweenStage::cell_of(std::uint64_t n, Regime regime, const std::vector<Configuration>& configurations) const {
    Cell cell;
    cell.n = n;
    cell.regime = regime;
    std::set<std::string> seen;
    for (const Configuration& configuration : configurations) {
        if (!seen.insert(to_string(configuration)).second) continue;
        const Family& family = jit::find_family(families_, configuration.family);
        const auto trial =
            db::candidate_of(family, sweep_.executor.device(), request_.problem, configuration, n, regime);
        if (trial && sweep_.executor.offers(*trial, n, regime)) cell.trials.push_back(*trial);
    }
    const std::vector<bool> failed = sweep_.history.failed_trials(cell);
    const std::vector<Trial> trials = std::exchange(cell.trials, {});
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (!failed[i]) cell.trials.push_back(trials[i]);
    }
    return cell;
}

const std::vector<Configuration>& BetweenStage::near_best_at(std::uint64_t n, Regime regime) {
    const auto [entry, is_new] = near_best_.try_emplace({n, regime});
    if (is_new) entry->second = sweep_.history.near_best({n, regime}, near_best_within, most_near_best);
    return entry->second;
}

}  // namespace redtune::search
