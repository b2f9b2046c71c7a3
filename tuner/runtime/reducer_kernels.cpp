#include "tuner/runtime/reducer_kernels.h"

#include <algorithm>
#include <vector>

#include "db/single_candidate.h"
#include "redtune/error.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/kernel_name.h"
#include "tuner/lookup/distinct_matches.h"
#include "tuner/runtime/configurations.h"

namespace redtune::runtime {

namespace {

/// Returns the configurations that look-ups of a reducer return for these calls.
std::vector<Match> matches_for(const Selector& selector, const Problem& problem, const ExpectedCalls& calls) {
    const std::uint64_t unit = shape_of(problem).unit();
    const std::uint64_t most = db::most_rows(unit) * unit;
    // A call of rows or columns has whole rows of its matrix, at least one.
    const std::uint64_t least = shape_of(problem) == Shape() ? 0 : unit;
    const std::uint64_t first = (std::clamp(calls.first, least, most) + unit - 1) / unit * unit;
    const std::uint64_t last = std::min(calls.last, most) / unit * unit;
    if (first > last) return {};
    return lookup::distinct_matches(
        selector.content(), [&](std::uint64_t n) { return selector.find(n); }, first, last);
}

}  // namespace

void add_reducer_kernels(const Catalog& catalog, std::span<const Family> families, const Problem& problem,
                         const DeviceInfo& device, const ExpectedCalls& calls, ReducerKernels& found) {
    using launch::CountPlace;
    std::vector<CountPlace> places = {CountPlace::arguments};
    if (calls.with_device_count && shape_of(problem) == Shape()) places.push_back(CountPlace::device_memory);
    for (const Regime regime : calls.regimes) {
        SelectOptions options;
        options.regime = regime;
        options.max_workspace_bytes = default_max_workspace_bytes;
        for (const Match& match : matches_for(catalog.select(problem, device, options), problem, calls)) {
            try {
                const Family& family = jit::find_family(families, match.family);
                for (const KernelRole role : roles_of(*match.rule)) {
                    for (const CountPlace place : places) {
                        found.names.insert(
                            launch::kernel_name(family, problem, launch::KernelRequest(match, place), role));
                    }
                }
            } catch (const InputError& error) {
                found.unusable.insert(error.what());
            }
        }
    }
}

}  // namespace redtune::runtime
