// Loads of 4, 8 or 16 bytes that carry several elements.
#pragma once

#include "kernels_src/load_paths.cuh"
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

    u32 words[bytes / sizeof(u32)];  // as loaded: taken apart only where an operator wants elements

    __device__ T lane(int i) const {
        T element;
        memcpy(&element, reinterpret_cast<const char*>(words) + i * sizeof(T), sizeof(T));
        return element;
    }

    /// `from` is aligned to `bytes`.
    template <Path path = Path::read_only>
    static __device__ Vector load(const T* from) {
        const Word word = load_word<path>(reinterpret_cast<const Word*>(from));
        Vector vector;
        memcpy(vector.words, &word, sizeof(vector));
        return vector;
    }

    /// Zeros, if it is not there.
    static __device__ Vector load_if_there(bool is_there, const T* from) {
        const Word word = load_if(is_there, reinterpret_cast<const Word*>(from));
        Vector vector;
        memcpy(vector.words, &word, sizeof(vector));
        return vector;
    }

    /// `from` is aligned to an element only.
    static __device__ Vector gather(const T* from) {
        T elements[lanes];
#pragma unroll
        for (int i = 0; i < lanes; ++i) elements[i] = from[i];
        Vector vector;
        memcpy(vector.words, elements, sizeof(vector));
        return vector;
    }
};

/// An unsigned integer as wide as an element.
template <int bytes>
struct BitsOf;
template <>
struct BitsOf<1> {
    using type = u8;
};
template <>
struct BitsOf<2> {
    using type = u16;
};
template <>
struct BitsOf<4> {
    using type = u32;
};
template <>
struct BitsOf<8> {
    using type = u64;
};

/// The bits of an element; zero if it is not there.
template <class T>
__device__ auto load_element_if(bool is_there, const T* from) {
    using Bits = typename BitsOf<sizeof(T)>::type;
    return Bits(load_if(is_there, reinterpret_cast<const Bits*>(from)));
}

template <int bytes, class T>
__device__ bool is_aligned(const T* address) {
    return (reinterpret_cast<u64>(address) & u64(bytes - 1)) == 0;
}

/// Elements before the first one that is aligned to `bytes`, at most n.
template <int bytes, class T>
__device__ u32 misaligned_head(const T* input, u64 n) {
    const u32 head = ((0 - u32(reinterpret_cast<u64>(input))) & u32(bytes - 1)) / u32(sizeof(T));
    return head < n ? head : u32(n);
}

}  // namespace redtune
