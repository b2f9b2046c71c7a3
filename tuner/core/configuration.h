#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "redtune/parameter.h"
#include "tuner/core/launch_rule.h"

namespace redtune {

/// A family with a value for each of its parameters.
struct Configuration {
    std::string family;
    std::vector<Parameter> parameters;  ///< in the family's order

    /// Returns the value of a parameter; null if the configuration has no parameter of this name.
    const Value* find(std::string_view name) const;

    friend bool operator==(const Configuration&, const Configuration&) = default;
};

/// Returns the configuration as text: "grid_stride_wide(block=256, unroll=4, finish=publish)".
std::string to_string(const Configuration& configuration);

/// Returns the parameters as a JSON object, as the database stores them. The members have the parameters' order, so
/// that equal parameters give equal text.
std::string to_json(const std::vector<Parameter>& parameters);

/// Returns the parameters that to_json() wrote.
/// @throws InputError if the text is not a JSON object of numbers and strings.
std::vector<Parameter> parameters_from_json(std::string_view json);

/// Returns the rule as a JSON object. Members of the struct that have their initial value are left out.
std::string to_json(const LaunchRule& rule);
/// Returns the rule that to_json() wrote.
/// @throws InputError if the text is not a JSON object with the members of a launch rule.
LaunchRule launch_rule_from_json(std::string_view json);

}  // namespace redtune
