#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// A value that redtune needs from every candidate in order to launch it, such as "block" or "tile". It comes from the
/// family's parameter or derived value of this name, or from the candidate's finish. docs/architecture.md, "A family is
/// one file", explains each.
struct LaunchValue {
    std::string_view name;
    bool is_whole_number = true;  ///< false: a name or a fraction, and the members below are unused
    std::int64_t least = 0;       ///< smallest allowed value
    std::int64_t most = 0;        ///< largest allowed value
    std::optional<std::int64_t> otherwise =
        std::nullopt;  ///< value if the family gives none; empty: the family must give one
};

/// Returns all launch values.
std::span<const LaunchValue> launch_values() noexcept;
/// Returns the launch value with this name; null if there is none.
const LaunchValue* find_launch_value(std::string_view name) noexcept;
std::vector<std::string> launch_value_names();

}  // namespace redtune
