// Stands in for the inline PTX of kernels_src/memory_model.cuh.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

#define EMULATOR_ACCESSES(T)                                                              \
    EMULATOR_INLINE T load_relaxed(const T* from) {                                       \
        return T(emulator::atomic_load(from, sizeof(T), emulator::AtomicOrder::relaxed)); \
    }                                                                                     \
    EMULATOR_INLINE void store_relaxed(T* to, T word) {                                   \
        emulator::atomic_store(to, sizeof(T), word, emulator::AtomicOrder::relaxed);      \
    }                                                                                     \
    EMULATOR_INLINE T load_acquire(const T* from) {                                       \
        return T(emulator::atomic_load(from, sizeof(T), emulator::AtomicOrder::acquire)); \
    }                                                                                     \
    EMULATOR_INLINE void store_release(T* to, T word) {                                   \
        emulator::atomic_store(to, sizeof(T), word, emulator::AtomicOrder::release);      \
    }

EMULATOR_ACCESSES(u32)
EMULATOR_ACCESSES(u64)

#undef EMULATOR_ACCESSES

EMULATOR_INLINE void add_relaxed(u64* to, u64 word) {
    atomicAdd(to, word);
}

struct alignas(16) Word128 {
    u64 low;
    u64 high;
};

EMULATOR_INLINE Word128 load_relaxed(const Word128* from) {
    Word128 word;
    emulator::atomic_load_128(from, &word.low, &word.high);
    return word;
}
EMULATOR_INLINE void store_relaxed(Word128* to, Word128 word) {
    emulator::atomic_store_128(to, word.low, word.high);
}

}  // namespace redtune
