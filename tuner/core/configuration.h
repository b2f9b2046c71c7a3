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

    /// Returns null where the configuration has no such parameter.
    const Value* find(std::string_view name) const;

    friend bool operator==(const Configuration&, const Configuration&) = default;
};

/// A configuration that is legal for a device, a problem and a size.
struct Candidate {
    Configuration configuration;
    LaunchRule rule;
    bool deterministic = true;
    bool destructive = false;  ///< overwrites its input
    std::uint64_t bytes_in_flight =
        0;  ///< upper bound of the bytes that a block has requested and not yet received; 0: unknown
};

/// Returns "grid_stride_wide(block=256, unroll=4, finish=publish)".
std::string to_string(const Configuration& configuration);

/// Returns the parameters as a JSON object in their own order, as the database stores them. Equal parameters have equal
/// text.
std::string to_json(const std::vector<Parameter>& parameters);

/// Returns the parameters of such a text.
/// @throws InputError where the text is not an object of numbers and strings.
std::vector<Parameter> parameters_from_json(std::string_view json);

/// Returns the rule as a JSON object, without members that have their initial value.
std::string to_json(const LaunchRule& rule);
/// @throws InputError where the text is not such an object.
LaunchRule launch_rule_from_json(std::string_view json);

}  // namespace redtune
