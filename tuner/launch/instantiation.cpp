#include "tuner/launch/instantiation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "redtune/error.h"

namespace redtune::launch {

namespace {

/// Returns a parameter's value as a template argument. A text is an enumerator of the enumeration that has the
/// parameter's name with a capital first letter: finish = "ticket" becomes redtune::Finish::ticket.
std::string template_argument(const std::string& name, const Value& value) {
    if (!std::holds_alternative<std::string>(value)) return to_string(value);
    std::string type = name;
    type[0] = static_cast<char>(type[0] - 'a' + 'A');
    return fmt::format("redtune::{}::{}", type, to_string(value));
}

/// Returns the configuration's value of a parameter, else the default. @throws InputError if there is neither.
const Value& value_of(const Family& family, const ParameterValues& parameter, std::span<const Parameter> parameters) {
    const auto found = std::ranges::find(parameters, parameter.name, &Parameter::name);
    if (found != parameters.end()) return found->value;
    if (parameter.default_value) return *parameter.default_value;
    throw InputError(fmt::format(
        "the configuration of family '{}' has no value for its parameter '{}', which has no default; tune again",
        family.name, parameter.name));
}

/// Throws InputError if the configuration has a parameter that the family does not have, or one parameter twice.
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
        const Value& value = value_of(family, parameter, parameters);
        if (parameter.compile) arguments += (arguments.empty() ? "" : ", ") + template_argument(parameter.name, value);
    }
    return arguments;
}

}  // namespace redtune::launch
