#include "tuner/search/size_check_stage.h"

#include <algorithm>

#include "tuner/core/log_uniform_sizes.h"
#include "tuner/jit/source_set.h"
#include "tuner/lookup/snapshot.h"
#include "tuner/search/single_candidate.h"
#include "tuner/search/unplanned_cell.h"

namespace redtune::search {

namespace {

/// Returns the sizes to check: random sizes between the smallest and the largest requested size, uniform in log n, that
/// the executor can measure.
std::vector<std::uint64_t> sizes_to_check(const Executor& executor, const SweepRequest& request, Regime regime) {
    // This seed is used nowhere else, so the sizes do not coincide with those that another part of the sweep chose.
    constexpr std::uint64_t seed = 16;
    if (request.sizes.size() < 2) return {};
    const std::uint64_t unit = std::max<std::uint64_t>(1, request.problem.row_length);
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

bool SizeCheckStage::has_work(const Executor& executor, const db::Store& store, const SweepRequest& request) {
    return std::any_of(request.regimes.begin(), request.regimes.end(), [&](Regime regime) {
        const auto checked = store.checked_sizes(executor.device(), request.problem, regime);
        const auto wanted = sizes_to_check(executor, request, regime);
        return !std::includes(checked.begin(), checked.end(), wanted.begin(), wanted.end());
    });
}

void SizeCheckStage::run() {
    for (const Regime regime : request_.regimes) run(regime);
}

void SizeCheckStage::run(Regime regime) {
    const auto checked = store_.checked_sizes(sweep_.executor.device(), request_.problem, regime);
    const lookup::Snapshot snapshot({store_.winners()});
    const lookup::TunedSizes* tuned = snapshot.find(sweep_.executor.device().name, request_.problem, regime);
    if (tuned == nullptr) return;
    for (const std::uint64_t n : sizes_to_check(sweep_.executor, request_, regime)) {
        if (sweep_.stop) return;
        if (request_.resume && std::binary_search(checked.begin(), checked.end(), n)) continue;
        const auto picked = lookup::pick(tuned->sizes, n, request_.problem.row_length);
        if (!picked || picked->kind != MatchKind::between) continue;
        const Configuration& configuration = picked->tuned->configuration;
        const auto subject = candidate_of(jit::find_family(families_, configuration.family), sweep_.executor.device(),
                                          request_.problem, configuration, n, regime);
        if (!subject) continue;
        UnplannedCell unplanned(sweep_, families_, n, regime);
        const auto compared = CellRunner(sweep_, unplanned.cell).compare_with_best(unplanned.strategy, *subject);
        if (compared) sweep_.record.add_size_check({compared->subject, compared->best, picked->expected_us});
    }
}

}  // namespace redtune::search
