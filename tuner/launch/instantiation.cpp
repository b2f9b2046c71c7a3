#include "tuner/launch/instantiation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "redtune/error.h"

namespace redtune::launch {

namespace {

/// Text values are enumerators of an enumeration called like the parameter: finish = "ticket" is Finish::ticket.
std::string template_argument(const Parameter& parameter) {
    if (!std::holds_alternative<std::string>(parameter.value)) return to_string(parameter.value);
    std::string type = parameter.name;
    type[0] = static_cast<char>(type[0] - 'a' + 'A');
    return fmt::format("redtune::{}::{}", type, to_string(parameter.value));
}

const Parameter& value_of(const Family& family, const std::string& name, std::span<const Parameter> parameters) {
    const auto found = std::ranges::find(parameters, name, &Parameter::name);
    if (found != parameters.end()) return *found;
    throw InputError(
        fmt::format("the configuration of family '{}' has no value for its parameter '{}'; tune again with "
                    "the family as it is now",
                    family.name, name));
}

void refuse_unknown(const Family& family, std::span<const Parameter> parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string& name = parameters[i].name;
        if (std::ranges::find(family.parameters, name, &ParameterValues::name) == family.parameters.end()) {
            std::vector<std::string> known;
            for (const ParameterValues& parameter : family.parameters) known.push_back(parameter.name);
            throw InputError(fmt::format(
                "family '{}' has no parameter '{}', for which the configuration has the value {}; it has {}",
                family.name, name, to_string(parameters[i].value), fmt::join(known, ", ")));
        }
        if (std::ranges::find(parameters.first(i), name, &Parameter::name) != parameters.begin() + i) {
            throw InputError(fmt::format("the configuration of family '{}' has two values for its parameter '{}'",
                                         family.name, name));
        }
    }
}

}  // namespace

std::string instantiation_of(const Family& family, std::span<const Parameter> parameters) {
    refuse_unknown(family, parameters);
    std::string arguments;
    for (const ParameterValues& parameter : family.parameters) {
        const Parameter& given = value_of(family, parameter.name, parameters);
        if (parameter.compile) arguments += (arguments.empty() ? "" : ", ") + template_argument(given);
    }
    return arguments;
}

}  // namespace redtune::launch
