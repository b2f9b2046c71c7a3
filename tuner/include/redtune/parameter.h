#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "redtune/export.h"

namespace redtune {

/// A parameter's value: a whole number (block, unroll), a fraction (blocks_per_sm) or a name (finish).
using Value = std::variant<std::int64_t, double, std::string>;

/// A tunable parameter with its value.
struct Parameter {
    std::string name;  ///< "block", "finish"
    Value value;       ///< 256, "publish"

    /// Compares all members.
    friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Returns the value as text: "256", "0.5", "publish".
REDTUNE_EXPORT std::string to_string(const Value& value);

}  // namespace redtune
