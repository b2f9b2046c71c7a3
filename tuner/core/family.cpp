#include "tuner/core/family.h"

#include <algorithm>

namespace redtune {

const Value* Family::default_of(std::string_view parameter) const {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const ParameterValues& each) { return each.name == parameter; });
    return found != parameters.end() && found->default_value ? &*found->default_value : nullptr;
}

std::string to_string_without_defaults(const Configuration& configuration, const Family& family) {
    Configuration shown{configuration.family, {}};
    for (const Parameter& parameter : configuration.parameters) {
        const Value* usual = family.default_of(parameter.name);
        if (usual == nullptr || *usual != parameter.value) shown.parameters.push_back(parameter);
    }
    return to_string(shown);
}

}  // namespace redtune
