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

    const Value* find(std::string_view name) const;

    friend bool operator==(const Configuration&, const Configuration&) = default;
};

/// "grid_stride_wide(block=256, unroll=4, finish=publish)": what people see.
std::string to_string(const Configuration& configuration);

/// The parameters as a JSON object in their own order: what the database keeps. Equal configurations
/// have equal text.
std::string to_json(const std::vector<Parameter>& parameters);

/// @throws InputError where the text is not an object of numbers and strings.
std::vector<Parameter> parameters_from_json(std::string_view json);

std::string to_json(const LaunchRule& rule);
LaunchRule launch_rule_from_json(std::string_view json);

}  // namespace redtune
