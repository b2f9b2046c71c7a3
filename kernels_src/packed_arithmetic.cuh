// Instructions that work on several narrow elements of a 32-bit word at once, or follow NaN where C++ does not.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// The four bytes of a word, added to `sum`, which wraps.
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

/// Both 16-bit floats of a word by themselves, as `pick` chooses among their values.
template <class T, class Pick>
__device__ u32 pick_halves(u32 a, u32 b, Pick pick) {
    T of_a[2];
    T of_b[2];
    memcpy(of_a, &a, sizeof(a));
    memcpy(of_b, &b, sizeof(b));
    const T picked[2] = {T(pick(float(of_a[0]), float(of_b[0]))), T(pick(float(of_a[1]), float(of_b[1])))};
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

}  // namespace redtune
