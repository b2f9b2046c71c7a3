// Warp-level built-ins. Part of cuda_builtins.h.
#pragma once

constexpr unsigned emulator_full_mask = 0xffffffffu;

EMULATOR_INLINE void __syncwarp(unsigned mask = emulator_full_mask, EMULATOR_WHERE) {
    emulator::warp_collective(emulator::WarpOperation::sync, mask, 0, 0, 32, where);
}
EMULATOR_INLINE unsigned __activemask() {
    return emulator::active_mask();
}

EMULATOR_INLINE unsigned __ballot_sync(unsigned mask, int predicate, EMULATOR_WHERE) {
    return unsigned(emulator::warp_collective(emulator::WarpOperation::ballot, mask, predicate != 0, 0, 32, where));
}
EMULATOR_INLINE int __any_sync(unsigned mask, int predicate, EMULATOR_WHERE) {
    return int(emulator::warp_collective(emulator::WarpOperation::any, mask, predicate != 0, 0, 32, where));
}
EMULATOR_INLINE int __all_sync(unsigned mask, int predicate, EMULATOR_WHERE) {
    return int(emulator::warp_collective(emulator::WarpOperation::all, mask, predicate != 0, 0, 32, where));
}

#define EMULATOR_SHUFFLE(name, operation, T, Lane)                                                          \
    EMULATOR_INLINE T name(unsigned mask, T value, Lane lane, int width = 32, EMULATOR_WHERE) {             \
        return emulator::bits_as<T>(emulator::warp_collective(emulator::WarpOperation::operation, mask,     \
                                                              emulator::bits_as<unsigned long long>(value), \
                                                              unsigned(lane), unsigned(width), where));     \
    }
#define EMULATOR_SHUFFLES(T)                                      \
    EMULATOR_SHUFFLE(__shfl_sync, shuffle, T, int)                \
    EMULATOR_SHUFFLE(__shfl_up_sync, shuffle_up, T, unsigned)     \
    EMULATOR_SHUFFLE(__shfl_down_sync, shuffle_down, T, unsigned) \
    EMULATOR_SHUFFLE(__shfl_xor_sync, shuffle_xor, T, int)

EMULATOR_SHUFFLES(int)
EMULATOR_SHUFFLES(unsigned)
EMULATOR_SHUFFLES(long)
EMULATOR_SHUFFLES(unsigned long)
EMULATOR_SHUFFLES(long long)
EMULATOR_SHUFFLES(unsigned long long)
EMULATOR_SHUFFLES(float)
EMULATOR_SHUFFLES(double)

#define EMULATOR_REDUCE(name, operation, T)                                                                           \
    EMULATOR_INLINE T name(unsigned mask, T value, EMULATOR_WHERE) {                                                  \
        return T(emulator::warp_collective(emulator::WarpOperation::operation, mask, unsigned(value), 0, 32, where)); \
    }

EMULATOR_REDUCE(__reduce_add_sync, add, int)
EMULATOR_REDUCE(__reduce_add_sync, add, unsigned)
EMULATOR_REDUCE(__reduce_min_sync, min_signed, int)
EMULATOR_REDUCE(__reduce_min_sync, min_unsigned, unsigned)
EMULATOR_REDUCE(__reduce_max_sync, max_signed, int)
EMULATOR_REDUCE(__reduce_max_sync, max_unsigned, unsigned)
EMULATOR_REDUCE(__reduce_and_sync, bit_and, unsigned)
EMULATOR_REDUCE(__reduce_or_sync, bit_or, unsigned)
EMULATOR_REDUCE(__reduce_xor_sync, bit_xor, unsigned)

#undef EMULATOR_SHUFFLE
#undef EMULATOR_SHUFFLES
#undef EMULATOR_REDUCE
