#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"

namespace redtune {

/// The device, problem, size and regime that a family's expressions are evaluated for.
struct ExpressionContext {
    const DeviceInfo& device;
    const Problem& problem;
    std::uint64_t n;
    Regime regime;
};

/// A name that the expressions of every family may use, and its value.
struct ExpressionName {
    std::string_view name;
    std::uint64_t (*value)(const ExpressionContext&);
};

/// Returns all names that the expressions of every family may use. docs/architecture.md, "A family is one file",
/// explains each.
std::span<const ExpressionName> expression_names() noexcept;

/// Returns whether expression_names() contains the name. No parameter and no derived value may have such a name.
bool is_expression_name(std::string_view name) noexcept;

}  // namespace redtune
