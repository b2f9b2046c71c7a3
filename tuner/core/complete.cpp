#include "tuner/core/complete.h"

#include <algorithm>

namespace redtune {

std::vector<Parameter> complete(std::span<const Parameter> parameters, const Family& family) {
    std::vector<Parameter> completed;
    for (const ParameterValues& wanted : family.parameters) {
        const auto given = std::ranges::find(parameters, wanted.name, &Parameter::name);
        if (given != parameters.end()) {
            completed.push_back(*given);
        } else if (wanted.default_value) {
            completed.push_back({wanted.name, *wanted.default_value});
        }
    }
    for (const Parameter& parameter : parameters) {
        const bool is_known =
            std::ranges::find(family.parameters, parameter.name, &ParameterValues::name) != family.parameters.end();
        if (!is_known) completed.push_back(parameter);
    }
    return completed;
}

Configuration complete(const Configuration& configuration, std::span<const Family> families) {
    const auto family = std::ranges::find(families, configuration.family, &Family::name);
    if (family == families.end()) return configuration;
    return {configuration.family, complete(configuration.parameters, *family)};
}

}  // namespace redtune
