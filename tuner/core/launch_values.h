#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// A value that redtune reads of every candidate, from the family's parameter or derived value of this name, or from
/// the candidate's finish. docs/architecture.md, "A family is one file", says what each means.
struct LaunchValue {
    std::string_view name;
    bool is_whole_number = true;  ///< false: a name or a fraction; the members below are unused
    std::int64_t least = 0;       ///< the allowed range
    std::int64_t most = 0;
    std::optional<std::int64_t> otherwise = std::nullopt;  ///< used where the family gives none; empty: it must
};

std::span<const LaunchValue> launch_values() noexcept;
/// Returns null for a name that redtune does not read.
const LaunchValue* find_launch_value(std::string_view name) noexcept;
std::vector<std::string> launch_value_names();

}  // namespace redtune
