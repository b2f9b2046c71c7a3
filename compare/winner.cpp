#include "compare/winner.h"

#include <algorithm>

#include "db/space.h"

namespace redtune::compare {

std::optional<Trial> trial_of(const Match& match, const std::vector<Family>& families, const DeviceInfo& device,
                              const Problem& problem, Regime regime) {
    const auto family = std::find_if(families.begin(), families.end(),
                                     [&](const Family& candidate) { return candidate.name == match.family; });
    if (family == families.end()) return std::nullopt;
    // Restricts each parameter to the match's value. The search space then has at most one configuration, unless the
    // family has a parameter that the match lacks.
    Family narrowed = *family;
    for (ParameterValues& values : narrowed.parameters) {
        const auto found = std::find_if(match.parameters.begin(), match.parameters.end(),
                                        [&](const Parameter& parameter) { return parameter.name == values.name; });
        if (found != match.parameters.end()) values.values = {found->value};
    }
    const std::vector<Candidate> candidates = db::candidates(narrowed, device, problem, match.tuned_n, regime);
    if (candidates.empty()) return std::nullopt;
    return candidates.front();
}

}  // namespace redtune::compare
