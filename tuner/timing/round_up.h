#pragma once

#include <cstdint>

namespace redtune::timing {

/// Returns the lowest multiple of `unit` that is not below `value`; `unit` is positive.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) noexcept {
    return (value + unit - 1) / unit * unit;
}

}  // namespace redtune::timing
