// CUDA's atomic functions, which are relaxed. Part of cuda_builtins.h.
#pragma once

namespace emulator {

template <class T, class Change>
EMULATOR_INLINE T update(T* at, Change change) {
    const T old = bits_as<T>(begin_update(at, sizeof(T)));
    end_update(at, sizeof(T), bits_as<unsigned long long>(T(change(old))));
    return old;
}

}  // namespace emulator

#define EMULATOR_ATOMIC(name, T, expression)                            \
    EMULATOR_INLINE T name(T* at, T value) {                            \
        return emulator::update(at, [=](T old) { return expression; }); \
    }
#define EMULATOR_ATOMIC_INTEGERS(name, expression) \
    EMULATOR_ATOMIC(name, int, expression)         \
    EMULATOR_ATOMIC(name, unsigned, expression)    \
    EMULATOR_ATOMIC(name, long long, expression)   \
    EMULATOR_ATOMIC(name, unsigned long long, expression)

// Signed sums wrap, as in hardware.
EMULATOR_ATOMIC(atomicAdd, int, int(unsigned(old) + unsigned(value)))
EMULATOR_ATOMIC(atomicAdd, unsigned, old + value)
EMULATOR_ATOMIC(atomicAdd, unsigned long long, old + value)
EMULATOR_ATOMIC(atomicAdd, float, old + value)
EMULATOR_ATOMIC(atomicAdd, double, old + value)
EMULATOR_ATOMIC(atomicSub, int, int(unsigned(old) - unsigned(value)))
EMULATOR_ATOMIC(atomicSub, unsigned, old - value)
EMULATOR_ATOMIC(atomicInc, unsigned, old >= value ? 0u : old + 1)
EMULATOR_ATOMIC(atomicDec, unsigned, (old == 0 || old > value) ? value : old - 1)
EMULATOR_ATOMIC(atomicExch, int, ((void)old, value))
EMULATOR_ATOMIC(atomicExch, unsigned, ((void)old, value))
EMULATOR_ATOMIC(atomicExch, unsigned long long, ((void)old, value))
EMULATOR_ATOMIC(atomicExch, float, ((void)old, value))
EMULATOR_ATOMIC_INTEGERS(atomicMin, old < value ? old : value)
EMULATOR_ATOMIC_INTEGERS(atomicMax, old > value ? old : value)
EMULATOR_ATOMIC_INTEGERS(atomicAnd, old& value)
EMULATOR_ATOMIC_INTEGERS(atomicOr, old | value)
EMULATOR_ATOMIC_INTEGERS(atomicXor, old ^ value)

#define EMULATOR_COMPARE_AND_SWAP(T)                                                      \
    EMULATOR_INLINE T atomicCAS(T* at, T compare, T value) {                              \
        return emulator::update(at, [=](T old) { return old == compare ? value : old; }); \
    }
EMULATOR_COMPARE_AND_SWAP(int)
EMULATOR_COMPARE_AND_SWAP(unsigned)
EMULATOR_COMPARE_AND_SWAP(unsigned long long)

#undef EMULATOR_ATOMIC
#undef EMULATOR_ATOMIC_INTEGERS
#undef EMULATOR_COMPARE_AND_SWAP
