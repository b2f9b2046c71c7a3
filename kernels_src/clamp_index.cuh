// Keeps the index of an unconditional load inside the array.
#pragma once

namespace redtune {

/// Returns `index`, or the last valid index where `index` is not below `count`; `count` is at least 1. Callers load at
/// the clamped index and ignore the value if the index was out of range. A load in a branch would be worse: the
/// compiler waits for every conditional load before it issues the next.
template <class Index>
__device__ Index clamp_index(Index index, Index count) {
    return index < count ? index : count - 1;
}

}  // namespace redtune
