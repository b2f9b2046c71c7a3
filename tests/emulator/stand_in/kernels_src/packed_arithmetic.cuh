// Stands in for the instructions of kernels_src/packed_arithmetic.cuh.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

EMULATOR_INLINE float min_or_nan(float a, float b) {
    if (is_nan(a) || is_nan(b)) return __uint_as_float(0x7fffffffu);
    return a < b ? a : b;
}
EMULATOR_INLINE float max_or_nan(float a, float b) {
    if (is_nan(a) || is_nan(b)) return __uint_as_float(0x7fffffffu);
    return a > b ? a : b;
}

}  // namespace redtune

namespace emulator {

/// Applies takes_first(x, y) to the lower 16-bit floats T of `a` and `b`, and to the upper ones. Returns a word with x
/// where the result is true and y where it is false, and with the NaN 0x7fff where x or y is NaN.
template <class T, class Takes>
EMULATOR_INLINE unsigned pick_halves(unsigned a, unsigned b, Takes takes_first) {
    unsigned result = 0;
    for (int shift = 0; shift < 32; shift += 16) {
        const T of_a = bits_as<T>(static_cast<unsigned short>(a >> shift));
        const T of_b = bits_as<T>(static_cast<unsigned short>(b >> shift));
        const bool nan = redtune::is_nan(float(of_a)) || redtune::is_nan(float(of_b));
        result |= (nan ? 0x7fffu : takes_first(float(of_a), float(of_b)) ? of_a.bits : of_b.bits) << shift;
    }
    return result;
}

/// Returns a mask: all 16 bits of a half are set if compare(x, y) is true for the 16-bit floats T in that half of `a`
/// and `b`.
template <class T, class Compare>
EMULATOR_INLINE unsigned mask_of_halves(unsigned a, unsigned b, Compare compare) {
    unsigned mask = 0;
    for (int shift = 0; shift < 32; shift += 16) {
        const float x = float(bits_as<T>(static_cast<unsigned short>(a >> shift)));
        const float y = float(bits_as<T>(static_cast<unsigned short>(b >> shift)));
        if (compare(x, y)) mask |= 0xffffu << shift;
    }
    return mask;
}

template <class Byte>
EMULATOR_INLINE unsigned add_four(unsigned packed, unsigned sum) {
    for (int shift = 0; shift < 32; shift += 8) sum += unsigned(static_cast<Byte>(packed >> shift));
    return sum;
}

}  // namespace emulator

namespace redtune {

#define EMULATOR_HALVES(name, T, comparison)                                                    \
    EMULATOR_INLINE u32 name(u32 a, u32 b) {                                                    \
        return emulator::pick_halves<T>(a, b, [](float x, float y) { return x comparison y; }); \
    }
EMULATOR_HALVES(min_or_nan_f16x2, Half, <)
EMULATOR_HALVES(max_or_nan_f16x2, Half, >)
EMULATOR_HALVES(min_or_nan_bf16x2, BFloat16, <)
EMULATOR_HALVES(max_or_nan_bf16x2, BFloat16, >)
#undef EMULATOR_HALVES

#define EMULATOR_MASKS(suffix, T)                                                                  \
    EMULATOR_INLINE u32 below_or_nan_##suffix(u32 a, u32 b) {                                      \
        return emulator::mask_of_halves<T>(a, b, [](float x, float y) { return !(x >= y); });      \
    }                                                                                              \
    EMULATOR_INLINE u32 above_or_nan_##suffix(u32 a, u32 b) {                                      \
        return emulator::mask_of_halves<T>(a, b, [](float x, float y) { return !(x <= y); });      \
    }
EMULATOR_MASKS(f16x2, Half)
EMULATOR_MASKS(bf16x2, BFloat16)
#undef EMULATOR_MASKS

EMULATOR_INLINE i32 add_four(u32 packed, i32 sum) {
    return i32(emulator::add_four<i8>(packed, u32(sum)));
}
EMULATOR_INLINE u32 add_four_unsigned(u32 packed, u32 sum) {
    return emulator::add_four<u8>(packed, sum);
}

}  // namespace redtune
