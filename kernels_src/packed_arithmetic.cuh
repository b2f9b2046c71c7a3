// Instructions that work on several narrow elements of a 32-bit word, or that propagate NaN.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// Returns `sum` plus the four bytes of a word; the addition wraps.
__device__ inline i32 add_four(u32 packed, i32 sum) {
    return __dp4a(i32(packed), 0x01010101, sum);
}
__device__ inline u32 add_four_unsigned(u32 packed, u32 sum) {
    return __dp4a(packed, 0x01010101u, sum);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define REDTUNE_EXTREME(name, instruction, Word, constraint)                                     \
    __device__ inline Word name(Word a, Word b) {                                                \
        Word result;                                                                             \
        asm(instruction " %0, %1, %2;" : "=" constraint(result) : constraint(a), constraint(b)); \
        return result;                                                                           \
    }
REDTUNE_EXTREME(min_or_nan, "min.NaN.f32", float, "f")
REDTUNE_EXTREME(max_or_nan, "max.NaN.f32", float, "f")
REDTUNE_EXTREME(min_or_nan_f16x2, "min.NaN.f16x2", u32, "r")
REDTUNE_EXTREME(max_or_nan_f16x2, "max.NaN.f16x2", u32, "r")
REDTUNE_EXTREME(min_or_nan_bf16x2, "min.NaN.bf16x2", u32, "r")
REDTUNE_EXTREME(max_or_nan_bf16x2, "max.NaN.bf16x2", u32, "r")
#undef REDTUNE_EXTREME
#else
__device__ inline float min_or_nan(float a, float b) {
    return a < b || is_nan(a) ? a : b;
}
__device__ inline float max_or_nan(float a, float b) {
    return a > b || is_nan(a) ? a : b;
}

/// Returns the value rounded to T; for NaN, the 0x7fff that the instructions return.
template <class T>
__device__ T with_canonical_nan(float value) {
    T result(value);
    if (is_nan(value)) result.bits = 0x7fff;
    return result;
}

/// Applies pick(x, y) to the lower 16-bit floats of two words and to the upper ones, and returns both results in one
/// word.
template <class T, class Pick>
__device__ u32 pick_halves(u32 a, u32 b, Pick pick) {
    T of_a[2];
    T of_b[2];
    memcpy(of_a, &a, sizeof(a));
    memcpy(of_b, &b, sizeof(b));
    const T picked[2] = {with_canonical_nan<T>(pick(float(of_a[0]), float(of_b[0]))),
                         with_canonical_nan<T>(pick(float(of_a[1]), float(of_b[1])))};
    u32 result;
    memcpy(&result, picked, sizeof(result));
    return result;
}
__device__ inline u32 min_or_nan_f16x2(u32 a, u32 b) {
    return pick_halves<Half>(a, b, min_or_nan);
}
__device__ inline u32 max_or_nan_f16x2(u32 a, u32 b) {
    return pick_halves<Half>(a, b, max_or_nan);
}
__device__ inline u32 min_or_nan_bf16x2(u32 a, u32 b) {
    return pick_halves<BFloat16>(a, b, min_or_nan);
}
__device__ inline u32 max_or_nan_bf16x2(u32 a, u32 b) {
    return pick_halves<BFloat16>(a, b, max_or_nan);
}
#endif

#define REDTUNE_HALVES(name, instruction)                              \
    __device__ inline u32 name(u32 a, u32 b) {                         \
        u32 mask;                                                      \
        asm(instruction " %0, %1, %2;" : "=r"(mask) : "r"(a), "r"(b)); \
        return mask;                                                   \
    }
// Each function compares the 16-bit floats in the halves of `a` with those of `b`. It returns a mask with all bits of a
// half set if the float of `a` is below (or above) that of `b`, or if either is NaN.
REDTUNE_HALVES(below_or_nan_f16x2, "set.ltu.u32.f16x2")
REDTUNE_HALVES(above_or_nan_f16x2, "set.gtu.u32.f16x2")
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
REDTUNE_HALVES(below_or_nan_bf16x2, "set.ltu.u32.bf16x2")
REDTUNE_HALVES(above_or_nan_bf16x2, "set.gtu.u32.bf16x2")
#else
/// Returns a mask: all bits of a half are set unless is_not(x, y) is true for the 16-bit floats in that half of `a` and
/// `b`.
template <class IsNot>
__device__ u32 mask_of_bf16x2(u32 a, u32 b, IsNot is_not) {
    BFloat16 of_a[2];
    BFloat16 of_b[2];
    memcpy(of_a, &a, sizeof(a));
    memcpy(of_b, &b, sizeof(b));
    return (is_not(float(of_a[0]), float(of_b[0])) ? 0 : 0xffffu) |
           (is_not(float(of_a[1]), float(of_b[1])) ? 0 : ~0xffffu);
}
__device__ inline u32 below_or_nan_bf16x2(u32 a, u32 b) {
    return mask_of_bf16x2(a, b, [](float x, float y) { return x >= y; });
}
__device__ inline u32 above_or_nan_bf16x2(u32 a, u32 b) {
    return mask_of_bf16x2(a, b, [](float x, float y) { return x <= y; });
}
#endif
#undef REDTUNE_HALVES

}  // namespace redtune
