#include "tuner/search/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "db/space.h"
#include "tuner/search/cells_in_flight.h"
#include "tuner/search/choose.h"
#include "tuner/search/planner.h"
#include "tuner/search/suggestions.h"
#include "tuner/search/time_model.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

/// A size with the recorded results of all its trials.
struct RecordedSize {
    Cell cell;
    std::vector<Measurement> screenings;
    std::vector<double> times_us;        ///< medians of the latest stage that was recorded; of failed trials 0
    double best_us = 0;                  ///< least of times_us
    std::vector<std::size_t> likely;     ///< CellKnowledge::likely
    std::vector<std::size_t> suggested;  ///< CellKnowledge::suggested
    std::vector<std::string> kernels;    ///< for each trial, a name for the kernels that it needs
};

/// The kernels that the searches of some sizes have asked for.
using Kernels = std::set<std::string>;

/// The state of one search at the end of a budget.
struct Judged {
    std::size_t screenings = 0;
    double share = 0;  ///< of the candidates
    double gpu_s = 0;
    std::size_t kernels = 0;  ///< number of kernels that no earlier search had asked for
    double regret = 0;
};

/// A search that has ended.
struct Search {
    std::vector<Judged> judged;         ///< after each budget
    std::vector<Measurement> screened;  ///< of each trial; those that were not screened have failed
};

/// Screenings of a size, from which the priors of others are made.
struct ScreenedSize {
    const Cell& cell;
    const std::vector<Measurement>& screenings;
};

double gpu_seconds(const Measurement& measurement) {
    const std::vector<double>& samples = measurement.samples_us;
    return std::accumulate(samples.begin(), samples.end(), 0.0) * measurement.calls_per_sample * 1e-6;
}

RecordedSize read_size(Executor& recorded, const std::vector<Family>& families, const SimulationRequest& request,
                       std::uint64_t n) {
    RecordedSize size;
    size.cell.n = n;
    size.cell.regime = request.regime;
    size.cell.trials = trials_of(recorded, families, request.problem, n, request.regime);
    for (const Trial& trial : size.cell.trials) {
        size.screenings.push_back(recorded.measure(trial, n, request.regime, Stage::screen, 0));
        const Measurement last = recorded.measure(trial, n, request.regime, Stage::final, 0);
        const double us = last.status == Status::ok ? last.median_us : 0;
        size.times_us.push_back(us);
        if (us > 0 && (size.best_us == 0 || us < size.best_us)) size.best_us = us;
    }
    for (const Trial& trial : size.cell.trials) size.kernels.push_back(kernels_of(trial, families));
    size.likely = likely_trials(size.cell, recorded.device(), request.problem);
    size.suggested = Suggestions(request.catalog, request.problem, recorded.device()).of(size.cell, families);
    return size;
}

/// Returns the prior of a cell: the configurations that did well at the nearest of the screened sizes.
Prior prior_of(const Cell& cell, const std::vector<ScreenedSize>& screened) {
    std::map<std::uint64_t, const ScreenedSize*> by_n;
    std::vector<std::uint64_t> sizes;
    for (const ScreenedSize& each : screened) {
        by_n[each.cell.n] = &each;
        sizes.push_back(each.cell.n);
    }
    std::vector<CellKey> nearest = cells_by_distance(sizes, {cell.regime}, {cell.n, cell.regime});
    nearest.resize(std::min(nearest.size(), prior_cells));
    Prior prior;
    for (const CellKey& key : nearest) {
        const ScreenedSize& other = *by_n.at(key.first);
        std::vector<db::StoredMeasurement> stored(other.screenings.size());
        for (std::size_t i = 0; i < stored.size(); ++i) {
            stored[i].configuration = other.cell.trials[i].configuration;
            stored[i].measurement = other.screenings[i];
        }
        add_to_prior(prior, stored);
    }
    return prior;
}

/// Returns the regret of the trial that the tuner would choose from those that were screened.
double regret_of(const RecordedSize& size, const std::vector<Measurement>& screened) {
    double us = 0;
    for (const std::size_t i : near_best(screened, timing::survivor_within, timing::most_survivors)) {
        if (us == 0 || size.times_us[i] < us) us = size.times_us[i];
    }
    return us == 0 ? std::numeric_limits<double>::infinity() : us / size.best_us - 1;
}

/// Returns what a search of a size begins with. The references must outlive the result.
CellKnowledge knowledge_of(const RecordedSize& size, const std::vector<Family>& families, const Prior& prior,
                           const Kernels& kernels) {
    CellKnowledge knowledge{size.cell, families, prior, size.likely, size.suggested};
    knowledge.has_kernels = [&](std::size_t i) { return kernels.contains(size.kernels[i]); };
    return knowledge;
}

/// Searches one size. @param kernels gets those that the search asks for
Search search_size(const RecordedSize& size, Strategy& strategy, const std::vector<std::size_t>& budgets,
                   Kernels& kernels) {
    const std::size_t kernels_before = kernels.size();
    Measurement missing;
    missing.status = Status::launch_error;
    Search search;
    search.screened.assign(size.screenings.size(), missing);
    std::vector<bool> is_screened(size.screenings.size());
    Judged now;
    const auto judge = [&] {
        now.share = static_cast<double>(now.screenings) / static_cast<double>(size.screenings.size());
        now.regret = regret_of(size, search.screened);
        search.judged.push_back(now);
    };
    for (std::vector<std::size_t> batch = strategy.next(); !batch.empty() && search.judged.size() < budgets.size();
         batch = strategy.next()) {
        for (const std::size_t i : batch) {
            if (is_screened[i]) continue;
            is_screened[i] = true;
            search.screened[i] = size.screenings[i];
            ++now.screenings;
            now.gpu_s += gpu_seconds(size.screenings[i]);
            kernels.insert(size.kernels[i]);
            now.kernels = kernels.size() - kernels_before;
            strategy.tell(i, size.screenings[i]);
            if (now.screenings == budgets[search.judged.size()]) judge();
            if (search.judged.size() == budgets.size()) break;
        }
    }
    while (search.judged.size() < budgets.size()) judge();
    return search;
}

/// The searches of one strategy, by budget.
using Searches = std::vector<std::vector<Judged>>;

void append(Searches& searches, const std::vector<Judged>& judged, std::size_t first_budget = 0) {
    for (std::size_t i = 0; i < judged.size(); ++i) searches[first_budget + i].push_back(judged[i]);
}

/// Searches each size by itself.
void search_alone(const std::vector<RecordedSize>& sizes, const std::vector<Family>& families,
                  const SimulationRequest& request, StrategyKind kind, std::uint64_t seed, Searches& searches) {
    std::vector<ScreenedSize> all;
    for (const RecordedSize& size : sizes) all.push_back({size.cell, size.screenings});
    for (const RecordedSize& size : sizes) {
        const Prior prior = request.known == Known::neighbours ? prior_of(size.cell, all) : Prior();
        Kernels kernels;
        const auto strategy = make_strategy(kind, knowledge_of(size, families, prior, kernels), seed);
        append(searches, search_size(size, *strategy, request.budgets, kernels).judged);
    }
}

/// Searches the sizes with one budget: one after another in their order, or several at a time in spread_order(). Each
/// search knows what those screened that ended before it began.
void search_in_turn(const std::vector<RecordedSize>& sizes, const std::vector<Family>& families,
                    const SimulationRequest& request, StrategyKind kind, std::uint64_t seed, Searches& searches) {
    const std::size_t at_a_time = request.known == Known::in_flight ? most_cells_in_flight(Effort::standard) : 1;
    for (std::size_t budget = 0; budget < request.budgets.size(); ++budget) {
        std::list<Search> done;  // keeps its elements in place
        std::vector<ScreenedSize> begun;
        Kernels kernels;
        for (const std::size_t i : spread_order(sizes.size(), at_a_time)) {
            const RecordedSize& size = sizes[i];
            const std::size_t ended = begun.size() - std::min(begun.size(), at_a_time - 1);
            const Prior prior =
                prior_of(size.cell, {begun.begin(), begun.begin() + static_cast<std::ptrdiff_t>(ended)});
            const auto strategy = make_strategy(kind, knowledge_of(size, families, prior, kernels), seed);
            done.push_back(search_size(size, *strategy, {request.budgets[budget]}, kernels));
            begun.push_back({size.cell, done.back().screened});
            append(searches, done.back().judged, budget);
        }
    }
}

SimulatedSearch summarise(StrategyKind kind, std::size_t budget, const std::vector<Judged>& searches) {
    SimulatedSearch result;
    result.strategy = kind;
    result.budget = budget;
    std::vector<double> regrets;
    for (const Judged& each : searches) {
        result.screenings += static_cast<double>(each.screenings);
        result.share += each.share;
        result.gpu_s += each.gpu_s;
        result.kernels += static_cast<double>(each.kernels);
        regrets.push_back(each.regret);
    }
    const auto count = static_cast<double>(searches.size());
    for (double* sum : {&result.screenings, &result.share, &result.gpu_s, &result.kernels}) *sum /= count;
    std::ranges::sort(regrets);
    // No interpolation: a regret may be infinite.
    const auto rank = [&](double share) { return regrets[static_cast<std::size_t>(std::ceil(share * count)) - 1]; };
    result.regret_median = rank(0.5);
    result.regret_95 = rank(0.95);
    result.regret_largest = regrets.back();
    return result;
}

}  // namespace

std::vector<std::uint64_t> searchable_sizes(const Executor& recorded, const std::vector<Family>& families,
                                            const Problem& problem, Regime regime, std::vector<std::uint64_t> sizes) {
    constexpr double least_share = 0.9;
    std::erase_if(sizes, [&](std::uint64_t n) {
        std::size_t candidates = 0;
        for (const Family& family : families) {
            candidates += db::candidates(family, recorded.device(), problem, n, regime).size();
        }
        const std::size_t measured = trials_of(recorded, families, problem, n, regime).size();
        return static_cast<double>(measured) < least_share * static_cast<double>(candidates);
    });
    return sizes;
}

std::vector<SimulatedSearch> simulate(Executor& recorded, const std::vector<Family>& families,
                                      const SimulationRequest& request) {
    std::vector<RecordedSize> sizes;
    for (const std::uint64_t n : request.sizes) sizes.push_back(read_size(recorded, families, request, n));
    std::vector<SimulatedSearch> results;
    for (const StrategyKind kind : request.strategies) {
        Searches searches(request.budgets.size());
        for (std::uint64_t seed = 0; seed < (is_random(kind) ? request.seeds : 1); ++seed) {
            const bool is_in_turn = request.known == Known::earlier || request.known == Known::in_flight;
            const auto run = is_in_turn ? search_in_turn : search_alone;
            run(sizes, families, request, kind, seed, searches);
        }
        for (std::size_t i = 0; i < searches.size(); ++i) {
            results.push_back(summarise(kind, request.budgets[i], searches[i]));
        }
    }
    return results;
}

}  // namespace redtune::search
