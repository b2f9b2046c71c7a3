// Where 16-bit floats have the lowest key.
#pragma once

#include "kernels_src/half_keys.cuh"

namespace redtune {

constexpr u32 nowhere = ~u32(0);

/// Two at a time, and in a bit for each word first, so that an element costs less than two instructions.
template <class T, bool is_max, class V, int count>
class HalfPlaces {
  public:
    /// Which of the elements of all Vectors is the first that has the key, as with_one_zero() gives it; `nowhere` if
    /// none has. None has a lower one.
    static __device__ u32 first(const V (&vectors)[count], HalfKey key) {
        // Beyond what the next higher key stands for, or NaN: for NaN's own key, beyond infinity.
        constexpr HalfKey of_infinity = half_key_of_bits<is_max>(infinity_bits(T()) | (is_max ? 0 : 0x8000u));
        const HalfKey next = key + 1 > of_infinity ? key + 1 : of_infinity;
        const u32 half = value_of_half_key<T, is_max>(next).bits;
        const u32 limit = half << 16 | half;

        u32 place = nowhere;
#pragma unroll
        for (int begin = words - group; begin >= 0; begin -= group) {
            // In two parts, so that half as many wait for each other; the first word in the highest bit of each half.
            u32 masks[2] = {0, 0};
#pragma unroll
            for (int i = 0; i < group; ++i) {
                const u32 word = vectors[(begin + i) * 2 / V::lanes].words[(begin + i) % (V::lanes / 2)];
                masks[i % 2] |= beyond_x2<is_max>(T(), word, limit) & (0x80008000u >> i);
            }
            const u32 mask = masks[0] | masks[1];
            const u32 lower = 2 * u32(__clz(int(mask << 16)));
            const u32 upper = 2 * u32(__clz(int(mask & 0xffff0000u))) + 1;
            if (mask != 0) place = 2 * begin + (lower < upper ? lower : upper);
        }
        return place;
    }

  private:
    static constexpr int words = count * V::lanes / 2;
    static constexpr int group = words < 16 ? words : 16;  // that a mask has bits for, twice
};

}  // namespace redtune
