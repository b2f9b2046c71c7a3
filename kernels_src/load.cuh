// Loads of 4, 8 or 16 bytes that carry several elements.
#pragma once

#include "kernels_src/problem.cuh"

namespace redtune {

template <int bytes>
struct WordOf;
template <>
struct WordOf<4> {
    using type = u32;
};
template <>
struct WordOf<8> {
    using type = uint2;
};
template <>
struct WordOf<16> {
    using type = uint4;
};

/// As many elements as fit `bytes`, moved by one load.
template <class T, int bytes>
struct Vector {
    using Word = typename WordOf<bytes>::type;
    static constexpr int lanes = bytes / int(sizeof(T));
    static_assert(lanes >= 1, "a load cannot be narrower than an element");

    T lane[lanes];

    /// `from` is aligned to `bytes`. Goes through the read-only path: the input does not change during a call.
    static __device__ Vector load(const T* from) {
        const Word word = __ldg(reinterpret_cast<const Word*>(from));
        Vector vector;
        memcpy(&vector, &word, sizeof(vector));
        return vector;
    }

    /// `from` is aligned to an element only.
    static __device__ Vector gather(const T* from) {
        Vector vector;
#pragma unroll
        for (int i = 0; i < lanes; ++i) vector.lane[i] = from[i];
        return vector;
    }
};

template <int bytes, class T>
__device__ bool is_aligned(const T* address) {
    return (reinterpret_cast<u64>(address) & u64(bytes - 1)) == 0;
}

/// Elements before the first one that is aligned to `bytes`, at most n.
template <int bytes, class T>
__device__ u64 misaligned_head(const T* input, u64 n) {
    const u64 past = reinterpret_cast<u64>(input) & u64(bytes - 1);
    const u64 head = past == 0 ? 0 : (bytes - past) / sizeof(T);
    return head < n ? head : n;
}

}  // namespace redtune
