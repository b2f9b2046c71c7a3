// Searches Vectors for the first 16-bit float that has a given key.
#pragma once

#include "kernels_src/half_keys.cuh"

namespace redtune {

/// The result of a search that finds nothing.
constexpr u32 not_found = ~u32(0);

/// Searches two elements per instruction, and collects the comparisons as one bit for each element, so that an element
/// costs less than two instructions.
template <class T, bool is_max, class V, int count>
class HalfSearch {
  public:
    /// Returns the position, among the elements of all Vectors, of the first element that has the key; `not_found` if
    /// there is none. The key must come from merge_zero_keys(), and no element may have a lower key.
    static __device__ u32 first(const V (&vectors)[count], HalfKey key) {
        // The comparison finds elements that are better than the limit or NaN. The limit is the value of the next
        // higher key. If the key is that of NaN, the limit is the best infinity: no number is better.
        constexpr HalfKey best_infinity = half_key_of_bits<is_max>(infinity_bits(T()) | (is_max ? 0 : 0x8000u));
        const HalfKey next = key + 1 > best_infinity ? key + 1 : best_infinity;
        const u32 half = value_of_half_key<T, is_max>(next).bits;
        const u32 limit = half << 16 | half;

        u32 position = not_found;
#pragma unroll
        for (int begin = words - group; begin >= 0; begin -= group) {
            // Two masks instead of one halve the chain of dependent instructions. The first word of a group sets the
            // highest bit of each half of a mask.
            u32 masks[2] = {0, 0};
#pragma unroll
            for (int i = 0; i < group; ++i) {
                const u32 word = vectors[(begin + i) * 2 / V::lanes].words[(begin + i) % (V::lanes / 2)];
                masks[i % 2] |= better_or_nan_mask_x2<is_max>(T(), word, limit) & (0x80008000u >> i);
            }
            const u32 mask = masks[0] | masks[1];
            const u32 lower = 2 * u32(__clz(int(mask << 16)));
            const u32 upper = 2 * u32(__clz(int(mask & 0xffff0000u))) + 1;
            if (mask != 0) position = 2 * begin + (lower < upper ? lower : upper);
        }
        return position;
    }

  private:
    static constexpr int words = count * V::lanes / 2;
    static constexpr int group = words < 16 ? words : 16;  // words per mask; the mask has two bits for each word
};

}  // namespace redtune
