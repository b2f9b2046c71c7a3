#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "redtune/error.h"

namespace redtune::fuzz {

/// Calls `read`, which may only return or throw a redtune::Error. Any other exception ends the fuzzer as a crash.
/// Returns whether it threw nothing.
template <class Read>
bool only_errors(const Read& read) {
    try {
        read();
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Ends the fuzzer as a crash if a condition does not hold.
inline void expect(bool condition) {
    if (!condition) __builtin_trap();
}

/// Returns the fuzzer's input as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace redtune::fuzz
