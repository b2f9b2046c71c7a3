#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace redtune {

/// A parameter's value: a whole number (block, unroll), a fraction (blocks_per_sm) or a name (finish).
using Value = std::variant<std::int64_t, double, std::string>;

/// A tunable parameter with its value.
struct Parameter {
    std::string name;
    Value value;

    friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Returns the value as text: "256", "0.5", "publish".
std::string to_string(const Value& value);

}  // namespace redtune
