#include "tuner/search/between_stage.h"

#include <algorithm>

#include "tuner/search/planner.h"
#include "tuner/search/sizes_between.h"

namespace redtune::search {

namespace {

/// Configurations whose time at a requested size is within this factor of the best are measured between the sizes; at
/// most so many of each requested size.
constexpr double near_best_within = 1.05;
constexpr std::size_t most_near_best = 6;
/// A size in the middle is tuned if neighbouring sizes differ by more than the first factor and their times by more
/// than the second, or, where a time has a step, if the sizes differ by more than the third.
constexpr double near_sizes = 1.10;
constexpr double near_times = 1.05;
constexpr double nearest_sizes = 1.0005;
/// Limit on the sizes in the middle for each regime.
constexpr std::size_t most_middles = 100;

/// Returns whether a time grows faster than n by more than the noise of a measurement.
bool has_step(double low_us, double high_us, double growth) {
    constexpr double noise = 1.02;
    return high_us > low_us * growth * noise;
}

}  // namespace

bool BetweenStage::has_work(const Executor& executor, const db::Store& store, const SweepRequest& request) {
    bool has_sizes = false;
    for (const Regime regime : request.regimes) {
        const auto measured = store.recorded_sizes(executor.device(), request.problem, regime, Stage::final);
        for (const std::uint64_t n : sizes_between(request.sizes, request.problem.row_length, request.between)) {
            if (executor.refuses(n, regime)) continue;
            has_sizes = true;
            if (!std::binary_search(measured.begin(), measured.end(), n)) return true;
        }
    }
    // An interrupted sweep may lack sizes in the middle, which depend on the times.
    return has_sizes && store.latest_sweep_status(executor.device(), request.problem) != "finished";
}

void BetweenStage::run() {
    for (const Regime regime : request_.regimes) run(regime);
}

void BetweenStage::run(Regime regime) {
    std::vector<std::uint64_t> sizes;
    for (const std::uint64_t n : sizes_between(request_.sizes, request_.problem.row_length, request_.between)) {
        if (sweep_.stop) return;
        if (sweep_.executor.refuses(n, regime)) continue;
        tune(n, regime);
        sizes.push_back(n);
    }
    if (sizes.empty()) return;
    sizes.push_back(request_.sizes.back());
    refine(std::move(sizes), regime);
}

void BetweenStage::tune(std::uint64_t n, Regime regime) {
    if (request_.resume && sweep_.history.winner({n, regime})) return;
    const Cell cell = cell_of(n, regime, near_best_around(n, regime));
    sweep_.executor.prepare(cell.trials, {}, sweep_.stop);
    if (!sweep_.stop) CellRunner(sweep_, cell).run_final();
}

/// Tunes sizes in the middle of neighbours until needs_middle() is false for all.
void BetweenStage::refine(std::vector<std::uint64_t> sizes, Regime regime) {
    std::size_t middles = 0;
    for (std::size_t i = 0; i + 1 < sizes.size();) {
        if (sweep_.stop) return;
        const auto middle = size_in_the_middle(sizes[i], sizes[i + 1], request_.problem.row_length);
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

/// Times the winner of each size at the other one, and returns whether look-ups between them may lose much.
bool BetweenStage::needs_middle(std::uint64_t low, std::uint64_t high, Regime regime) {
    const auto low_winner = sweep_.history.winner({low, regime});
    const auto high_winner = sweep_.history.winner({high, regime});
    if (!low_winner || !high_winner) return false;
    time_winner_at(*low_winner, high, regime);
    time_winner_at(*high_winner, low, regime);
    const Times at_low = sweep_.history.final_times({low, regime});
    const Times at_high = sweep_.history.final_times({high, regime});
    const double growth = static_cast<double>(high) / static_cast<double>(low);
    if (growth < nearest_sizes) return false;
    const auto is_known = [&](const std::string& winner) {
        return at_low.contains(winner) && at_high.contains(winner);
    };
    if (!is_known(*low_winner) || !is_known(*high_winner)) return true;
    const auto steps = [&](const std::string& winner) {
        return has_step(at_low.at(winner), at_high.at(winner), growth);
    };
    if (steps(*low_winner) || steps(*high_winner)) return true;
    const bool times_differ = at_high.at(*high_winner) > at_low.at(*low_winner) * near_times;
    return times_differ && (*low_winner != *high_winner || growth > near_sizes);
}

/// Times a configuration at a size in interleaved rounds with the winner there, if it is a candidate and was no
/// finalist there yet.
void BetweenStage::time_winner_at(const std::string& winner, std::uint64_t n, Regime regime) {
    if (sweep_.stop || sweep_.history.final_times({n, regime}).contains(winner)) return;
    const auto winner_there = sweep_.history.winner({n, regime});
    const Cell cell = cell_of(n, regime, {winner, *winner_there});
    if (cell.trials.size() != 2) return;
    sweep_.executor.prepare(cell.trials, {}, sweep_.stop);
    if (!sweep_.stop) CellRunner(sweep_, cell).compare_all();
}

/// Returns a cell with those of its trials that have one of these configurations.
Cell BetweenStage::cell_of(std::uint64_t n, Regime regime, const std::vector<std::string>& configurations) const {
    std::vector<Family> families;
    for (const Family& family : families_) {
        const bool is_wanted = std::any_of(configurations.begin(), configurations.end(), [&](const std::string& text) {
            return text.starts_with(family.name + "(");
        });
        if (is_wanted) families.push_back(family);
    }
    Cell cell;
    cell.n = n;
    cell.regime = regime;
    cell.trials = trials_of(sweep_.executor, families, request_.problem, n, regime);
    std::erase_if(cell.trials, [&](const Trial& trial) {
        return std::find(configurations.begin(), configurations.end(), to_string(trial.configuration)) ==
               configurations.end();
    });
    return cell;
}

/// Returns the configurations that are near the best at the nearest requested sizes below and above n.
std::vector<std::string> BetweenStage::near_best_around(std::uint64_t n, Regime regime) {
    const auto above = std::upper_bound(request_.sizes.begin(), request_.sizes.end(), n);
    std::vector<std::string> all = near_best_at(*(above - 1), regime);
    for (const std::string& configuration : near_best_at(*above, regime)) {
        if (std::find(all.begin(), all.end(), configuration) == all.end()) all.push_back(configuration);
    }
    return all;
}

const std::vector<std::string>& BetweenStage::near_best_at(std::uint64_t n, Regime regime) {
    const auto [entry, is_new] = near_best_.try_emplace({n, regime});
    if (is_new) entry->second = sweep_.history.near_best({n, regime}, near_best_within, most_near_best);
    return entry->second;
}

}  // namespace redtune::search
