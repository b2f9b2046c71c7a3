// Keeps the index of an unconditional load inside the array.
#pragma once

namespace redtune {

/// Returns `index` if it is below `count`, otherwise the last valid index, `count` - 1; `count` is at least 1. Callers
/// load at the clamped index and ignore the value if the index was out of range. Conditional loads would be slower: the
/// compiler waits for each of them before it issues the next.
template <class Index>
__device__ Index clamp_index(Index index, Index count) {
    return index < count ? index : count - 1;
}

}  // namespace redtune
