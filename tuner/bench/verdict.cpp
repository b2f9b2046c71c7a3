#include "tuner/bench/verdict.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace redtune::bench {

std::optional<std::string> judge(Type type, std::uint32_t result_bits, const Expected& expected, double tolerance) {
    if (type == Type::i32) {
        const auto wanted = static_cast<std::uint32_t>(expected.integer);
        if (result_bits == wanted) return std::nullopt;
        return fmt::format("expected {}, got {}", static_cast<std::int32_t>(wanted),
                           static_cast<std::int32_t>(result_bits));
    }
    const auto got = std::bit_cast<float>(result_bits);
    const auto wanted = static_cast<float>(expected.real);
    const bool right =
        std::isnan(wanted) ? std::isnan(got) : got == wanted || std::abs(got - expected.real) <= tolerance;
    if (right) return std::nullopt;
    return fmt::format("expected {:.9g} within {:.3g}, got {:.9g}", wanted, tolerance, got);
}

}  // namespace redtune::bench
