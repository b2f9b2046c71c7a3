#include "compare/winner.h"

#include <algorithm>

#include "db/space.h"
#include "tuner/core/complete.h"

namespace redtune::compare {

std::optional<Trial> trial_of(const Match& match, const std::vector<Family>& families, const DeviceInfo& device,
                              const Problem& problem, Regime regime) {
    const auto family = std::find_if(families.begin(), families.end(),
                                     [&](const Family& candidate) { return candidate.name == match.family; });
    if (family == families.end()) return std::nullopt;
    // Restricts each parameter to the match's value, or to the default of a parameter that the match lacks. The search
    // space then has at most one configuration, unless such a parameter has no default.
    const std::vector<Parameter> known = complete(match.parameters, *family);
    Family narrowed = *family;
    for (ParameterValues& values : narrowed.parameters) {
        const auto found = std::ranges::find(known, values.name, &Parameter::name);
        if (found != known.end()) values.values = {found->value};
    }
    const std::vector<Candidate> candidates = db::candidates(narrowed, device, problem, match.tuned_n, regime);
    if (candidates.empty()) return std::nullopt;
    return candidates.front();
}

}  // namespace redtune::compare
