#include "compare/finish_representatives.h"

#include <algorithm>
#include <map>
#include <string>

#include "db/space.h"
#include "tuner/jit/source_set.h"

namespace redtune::compare {

namespace {

constexpr const char* family_names[] = {"tile_per_block", "grid_stride_wide", "one_cluster"};

using TrialOfFinish = std::map<Finish, Trial>;

/// Returns the finish of a configuration. one_cluster, which has no parameter for it, always combines in a cluster.
Finish finish_of(const Configuration& configuration) {
    const Value* finish = configuration.find(finish_parameter);
    return finish == nullptr ? Finish::cluster : parse_finish(to_string(*finish));
}

/// Returns the configuration's parameters as text, without `finish` and `cluster`.
std::string parameters_without_finish(const Configuration& configuration) {
    std::string name;
    for (const Parameter& parameter : configuration.parameters) {
        if (parameter.name == finish_parameter || parameter.name == "cluster") continue;
        name += parameter.name + "=" + to_string(parameter.value) + " ";
    }
    return name;
}

std::int64_t vector_bytes(const Trial& trial) {
    const Value* value = trial.configuration.find("vector_bytes");
    return value == nullptr ? 0 : std::get<std::int64_t>(*value);
}

/// Returns the candidates with the widest loads in groups. The candidates of one group differ only in `finish` and
/// `cluster`.
std::vector<TrialOfFinish> group_candidates(const std::vector<Candidate>& candidates) {
    std::int64_t widest = 0;
    for (const Candidate& candidate : candidates) widest = std::max(widest, vector_bytes(candidate));
    std::vector<TrialOfFinish> groups;
    std::map<std::string, std::size_t> index_of_name;
    for (const Candidate& candidate : candidates) {
        if (vector_bytes(candidate) != widest) continue;
        const auto [entry, is_new] =
            index_of_name.emplace(parameters_without_finish(candidate.configuration), groups.size());
        if (is_new) groups.emplace_back();
        // Keeps the first candidate with this finish, which has the smallest cluster.
        groups[entry->second].emplace(finish_of(candidate.configuration), candidate);
    }
    return groups;
}

/// Adds a candidate for each finish that `chosen` lacks. Takes whole groups, the one with the most missing finishes
/// first, until no group has any.
void add_missing_finishes(const std::vector<TrialOfFinish>& groups, TrialOfFinish& chosen) {
    const auto new_finishes = [&](const TrialOfFinish& group) {
        return std::count_if(group.begin(), group.end(),
                             [&](const auto& entry) { return !chosen.contains(entry.first); });
    };
    while (true) {
        const auto best = std::max_element(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
            return new_finishes(a) < new_finishes(b);
        });
        if (best == groups.end() || new_finishes(*best) == 0) return;
        chosen.insert(best->begin(), best->end());
    }
}

}  // namespace

std::vector<FinishRepresentative> finish_representatives(const std::vector<Family>& families, const DeviceInfo& device,
                                                         const Problem& problem, std::uint64_t n) {
    TrialOfFinish chosen;
    for (const char* name : family_names) {
        add_missing_finishes(group_candidates(db::candidates(jit::find_family(families, name), device, problem, n)),
                             chosen);
    }
    std::vector<FinishRepresentative> representatives;
    for (auto& [finish, trial] : chosen) representatives.push_back({finish, std::move(trial)});
    return representatives;
}

}  // namespace redtune::compare
