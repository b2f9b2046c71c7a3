#include "tuner/search/retune.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>
#include <utility>

#include "tuner/core/size_list.h"
#include "tuner/search/planner.h"

namespace redtune::search {

namespace {

/// Returns the command that the sweep is stored with.
std::string command_line(const SweepRequest& request) {
    std::vector<std::string> sizes;
    for (const std::uint64_t n : request.sizes) sizes.push_back(format_size(n));
    return fmt::format("redtune verify --retune --op {} --dtype {} --shape {} --determinism {} --size {} --regime {}",
                       request.problem.op, to_string(request.problem.input), shape_name(request.problem),
                       to_string(request.problem.determinism), fmt::join(sizes, ","),
                       to_string(request.regimes.front()));
}

}  // namespace

void retune(std::span<const CellKey> cells, const Problem& problem, Effort effort, Executor& executor, db::Store& store,
            const std::vector<Family>& families, const std::function<void(const SweepProgress&)>& progress,
            const std::atomic<bool>& stop) {
    std::map<Regime, std::vector<std::uint64_t>> sizes;
    for (const auto& [n, regime] : cells) {
        if (!executor.refuses(n, regime)) sizes[regime].push_back(n);
    }
    for (auto& [regime, of_regime] : sizes) {
        if (stop) return;
        SweepRequest request;
        request.problem = problem;
        request.sizes = std::move(of_regime);
        request.regimes = {regime};
        request.resume = false;
        request.less_effort_replaces = true;
        request.effort = effort;
        request.data = timing::parse_data_list({}, problem);
        request.command = command_line(request);
        request.runs_at_once = true;
        leave_out_missing_data(executor, request);
        Sweep(executor, store, families, std::move(request)).run(progress, stop);
    }
}

}  // namespace redtune::search
