#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "redtune/problem.h"
#include "tuner/bench/inputs.h"

namespace redtune::bench {

/// What outputs and workspaces are filled with before a call: no right result has these bytes.
inline constexpr unsigned char poison_byte = 0xA5;

/// Judges one 4-byte result. Integers must be equal modulo 2^32; floats may be `tolerance` from the exact sum, which
/// is first rounded to the type, and must be NaN or infinite where that is.
/// @return empty if it is right, else what was expected and what came.
std::optional<std::string> judge(Type type, std::uint32_t result_bits, const Expected& expected, double tolerance);

}  // namespace redtune::bench
