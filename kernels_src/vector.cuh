// Vectorised loads: 4, 8 or 16 bytes, which hold several elements.
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

/// The elements that one load of `bytes` bytes moves.
template <class T, int bytes>
struct Vector {
    using Word = typename WordOf<bytes>::type;
    static constexpr int lanes = bytes / int(sizeof(T));
    static_assert(lanes >= 1, "a load cannot be narrower than an element");

    u32 words[bytes / sizeof(u32)];  // as loaded; lane() extracts elements

    __device__ T lane(int i) const {
        T element;
        memcpy(&element, reinterpret_cast<const char*>(words) + i * sizeof(T), sizeof(T));
        return element;
    }

    /// Loads the vector at `from`, which must be aligned to `bytes`.
    template <Path path = Path::read_only>
    static __device__ Vector load(const T* from) {
        const Word word = load_word<path>(reinterpret_cast<const Word*>(from));
        Vector vector;
        memcpy(vector.words, &word, sizeof(vector));
        return vector;
    }

    /// Loads the vector at `from`; returns zeros without a memory access if `condition` is false.
    static __device__ Vector load_predicated(bool condition, const T* from) {
        const Word word = redtune::load_predicated(condition, reinterpret_cast<const Word*>(from));
        Vector vector;
        memcpy(vector.words, &word, sizeof(vector));
        return vector;
    }

    /// Loads the vector at `from` element by element, because `from` need not be aligned to more than one element.
    static __device__ Vector gather(const T* from) {
        T elements[lanes];
#pragma unroll
        for (int i = 0; i < lanes; ++i) elements[i] = from[i];
        Vector vector;
        memcpy(vector.words, elements, sizeof(vector));
        return vector;
    }
};

/// The unsigned integer type of `bytes` bytes.
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

/// Loads the bits of the element at `from`; returns zero without a memory access if `condition` is false.
template <class T>
__device__ auto load_element_predicated(bool condition, const T* from) {
    using Bits = typename BitsOf<sizeof(T)>::type;
    return Bits(load_predicated(condition, reinterpret_cast<const Bits*>(from)));
}

template <int bytes, class T>
__device__ bool is_aligned(const T* address) {
    return (reinterpret_cast<u64>(address) & u64(bytes - 1)) == 0;
}

/// Returns the number of elements before the first one that is aligned to `bytes`, at most n.
template <int bytes, class T>
__device__ u32 misaligned_head(const T* input, u64 n) {
    const u32 head = ((0 - u32(reinterpret_cast<u64>(input))) & u32(bytes - 1)) / u32(sizeof(T));
    return head < n ? head : u32(n);
}

}  // namespace redtune
