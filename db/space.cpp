#include "db/space.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "tuner/core/finish.h"

namespace redtune::db {

namespace {

// Limit on the number of candidates of one family. A family with more has a mistake in its file.
constexpr std::size_t most_candidates = 200'000;

/// Returns the values of the compile parameters as one text. Configurations with the same text share a kernel.
std::string compile_values(const Family& family, const Configuration& configuration) {
    std::string values;
    for (std::size_t i = 0; i < family.parameters.size(); ++i) {
        if (family.parameters[i].compile) values += to_string(configuration.parameters[i].value) + ",";
    }
    return values;
}

/// Returns whether the device supports the candidate's launches, and the candidate's finish supports the size of its
/// grid.
bool is_legal(const Candidate& candidate, const DeviceInfo& device, const Problem& problem, const LaunchPlan& plan) {
    const int compute_capability = device.compute_major * 10 + device.compute_minor;
    if (compute_capability < minimum_compute_capability(candidate.rule)) return false;
    const Value* finish = candidate.configuration.find(finish_parameter);
    return finish == nullptr || plan.steps[0].grid <= most_blocks(parse_finish(to_string(*finish)), problem);
}

/// Returns whether the family can solve the problem on the device.
bool is_supported(const Family& family, const DeviceInfo& device, const Problem& problem) {
    if (device.compute_major * 10 + device.compute_minor < family.minimum_compute_capability) return false;
    if (family.destructive && !problem.destructive) return false;
    const std::string_view shape = to_string(shape_of(problem).kind());
    return std::find(family.shapes.begin(), family.shapes.end(), shape) != family.shapes.end();
}

/// Returns whether to keep `a` rather than `b`, which has the same kernel and grid: one block per tile is preferred,
/// then fewer blocks.
bool is_preferred(const LaunchRule& a, const LaunchRule& b) {
    const auto rank = [](const LaunchRule& rule) {
        if (rule.grid == GridRule::blocks) return static_cast<double>(rule.blocks);
        return rule.blocks_per_sm <= 0 ? -1.0 : rule.blocks_per_sm;
    };
    return rank(a) < rank(b);
}

}  // namespace

std::vector<Candidate> candidates(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  std::uint64_t n, Regime regime) {
    return CandidateSpace(family, device, problem, regime).at(n);
}

CandidateSpace::CandidateSpace(const Family& family, const DeviceInfo& device, const Problem& problem, Regime regime)
    : family_(family),
      device_(device),
      problem_(problem),
      table_(family, device, problem, regime),
      reader_(family, table_, device.sm_count) {}

std::vector<Candidate> CandidateSpace::at(std::uint64_t n) {
    if (!is_supported(family_, device_, problem_)) return {};
    std::vector<Candidate> result;
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::size_t> seen;
    table_.for_each(n, [&](const RowReader& row) {
        Candidate candidate = reader_.read(row);
        const LaunchPlan plan = try_plan(candidate.rule, extents_of(problem_, n));
        if (plan.count == 0) return;  // the grid would be too large
        if (problem_.determinism == Determinism::run_to_run && !candidate.deterministic) return;
        if (!is_legal(candidate, device_, problem_, plan)) return;
        const auto [found, is_new] = seen.try_emplace(
            {compile_values(family_, candidate.configuration), plan.steps[0].grid, plan.steps[0].cluster},
            result.size());
        if (is_new) {
            result.push_back(std::move(candidate));
        } else if (is_preferred(candidate.rule, result[found->second].rule)) {
            result[found->second] = std::move(candidate);
        }
        if (result.size() > most_candidates) table_.fail(1, "the space is too large: more than 200000 candidates");
    });
    return result;
}

}  // namespace redtune::db
