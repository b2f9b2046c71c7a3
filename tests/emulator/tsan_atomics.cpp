// The functions that -fsanitize=thread calls for std::atomic in host code of instrumented sources. They execute the
// operation and check nothing; device code uses CUDA's atomic functions instead.
#define ATOMICS(bits, T)                                                                                    \
    T __tsan_atomic##bits##_load(const volatile T* at, int) {                                               \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                       \
    }                                                                                                       \
    void __tsan_atomic##bits##_store(volatile T* at, T value, int) {                                        \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                      \
    }                                                                                                       \
    T __tsan_atomic##bits##_exchange(volatile T* at, T value, int) {                                        \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                            \
    }                                                                                                       \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T* at, T* expected, T value, int, int) {     \
        return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }                                                                                                       \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile T* at, T* expected, T value, int, int) {       \
        return __atomic_compare_exchange_n(at, expected, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
    }                                                                                                       \
    UPDATE(bits, T, add)                                                                                    \
    UPDATE(bits, T, sub)                                                                                    \
    UPDATE(bits, T, and)                                                                                    \
    UPDATE(bits, T, or)                                                                                     \
    UPDATE(bits, T, xor)
#define UPDATE(bits, T, operation)                                            \
    T __tsan_atomic##bits##_fetch_##operation(volatile T* at, T value, int) { \
        return __atomic_fetch_##operation(at, value, __ATOMIC_SEQ_CST);       \
    }

extern "C" {

ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long)

void __tsan_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
