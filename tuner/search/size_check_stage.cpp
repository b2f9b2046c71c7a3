#include "tuner/search/size_check_stage.h"

#include <algorithm>
#include <map>
#include <utility>

#include "db/single_candidate.h"
#include "tuner/core/log_uniform_sizes.h"
#include "tuner/jit/source_set.h"
#include "tuner/lookup/snapshot.h"
#include "tuner/search/unplanned_cell.h"

namespace redtune::search {

/// A size that has to be checked, with what a look-up picks there.
struct SizeCheckStage::MissingCheck {
    std::uint64_t n = 0;
    Trial picked;
    double expected_us = 0;
};

namespace {

/// Returns random sizes between the smallest and the largest requested size, uniform in log n, that the executor can
/// measure.
std::vector<std::uint64_t> random_sizes(const Executor& executor, const SweepRequest& request, Regime regime) {
    // This seed is used nowhere else, so the sizes do not coincide with those that another part of the sweep chose.
    constexpr std::uint64_t seed = 16;
    if (request.sizes.size() < 2) return {};
    const std::uint64_t unit = shape_of(request.problem).unit();
    const std::uint64_t first = request.sizes.front() / unit + 1;
    const std::uint64_t last = request.sizes.back() / unit - 1;
    if (last < first) return {};
    std::vector<std::uint64_t> sizes =
        log_uniform_sizes(first, last, std::min<std::uint64_t>(request.checks, last - first + 1), seed);
    for (std::uint64_t& n : sizes) n *= unit;
    std::erase_if(sizes, [&](std::uint64_t n) { return executor.refuses(n, regime).has_value(); });
    return sizes;
}

}  // namespace

/// Returns the checks that are missing in the database. Sizes that were tuned, or at which the picked configuration is
/// no candidate, need none.
std::vector<SizeCheckStage::MissingCheck> SizeCheckStage::missing_checks(const Executor& executor,
                                                                         const db::Store& store,
                                                                         const std::vector<Family>& families,
                                                                         const SweepRequest& request, Regime regime) {
    const auto checked = store.checked_sizes(executor.device(), request.problem, regime);
    const lookup::Snapshot snapshot({store.winners()});
    const lookup::TunedSizes* tuned = snapshot.find(executor.device().name, request.problem, regime);
    if (tuned == nullptr) return {};
    std::vector<MissingCheck> missing;
    for (const std::uint64_t n : random_sizes(executor, request, regime)) {
        if (request.resume && std::binary_search(checked.begin(), checked.end(), n)) continue;
        const auto picked = lookup::pick(tuned->sizes, n, shape_of(request.problem));
        if (!picked || picked->kind != MatchKind::between) continue;
        const Configuration& configuration = picked->tuned->configuration;
        auto trial = db::candidate_of(jit::find_family(families, configuration.family), executor.device(),
                                      request.problem, configuration, n, regime);
        if (trial) missing.push_back({n, std::move(*trial), picked->expected_us});
    }
    return missing;
}

bool SizeCheckStage::has_work(const Executor& executor, const db::Store& store, const std::vector<Family>& families,
                              const SweepRequest& request) {
    return std::any_of(request.regimes.begin(), request.regimes.end(), [&](Regime regime) {
        return !missing_checks(executor, store, families, request, regime).empty();
    });
}

void SizeCheckStage::run() {
    for (const Regime regime : request_.regimes) {
        // All units have tuned all sizes before one of them looks up what is picked.
        sweep_.division.meet();
        std::map<CellKey, MissingCheck> missing;
        std::vector<CellKey> cells;
        for (MissingCheck& check : missing_checks(sweep_.executor, store_, families_, request_, regime)) {
            cells.emplace_back(check.n, regime);
            missing.emplace(cells.back(), std::move(check));
        }
        sweep_.division.divide("checks", cells,
                               {[](const CellKey&) { return false; },
                                [&](const CellKey& cell) { run(missing.at(cell), regime); }, [](const CellKey&) {}});
    }
}

void SizeCheckStage::run(const MissingCheck& check, Regime regime) {
    if (sweep_.is_over()) return;
    UnplannedCell unplanned(sweep_, families_, check.n, regime);
    const auto compared = CellRunner(sweep_, unplanned.cell).compare_with_best(*unplanned.strategy, check.picked);
    if (compared) sweep_.record.add_size_check({compared->subject, compared->best, check.expected_us});
}

}  // namespace redtune::search
