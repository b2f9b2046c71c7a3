// Compile-time constants that say how threads load an input: tile size, alignment, cache policy, mapping to parts.
#pragma once

#include "kernels_src/load_paths.cuh"

namespace redtune {

/// The tiles that one part of a span gets. strided: every parts-th tile. contiguous: a range of neighbouring tiles.
enum class Mapping { strided, contiguous };

/// A tile is `threads` x `unroll` vectors of `bytes` bytes. Thread t loads the vectors t, t + threads, ..., so that the
/// loads of a warp are coalesced; it issues all of them before it uses a loaded value. The first vector begins at the
/// first element that is aligned to `alignment` bytes: 128, a cache line, in kernels for large inputs, otherwise
/// `bytes`. accumulators: the maximum number of independent accumulators of a thread (instruction-level parallelism).
template <int threadsT, int unrollT, int bytesT, int alignmentT, Path pathT = Path::read_only,
          Mapping mappingT = Mapping::strided, int accumulatorsT = 4>
struct LoadPolicy {
    static constexpr int threads = threadsT;
    static constexpr int unroll = unrollT;
    static constexpr int bytes = bytesT;
    static constexpr int alignment = alignmentT;
    static constexpr Path path = pathT;
    static constexpr Mapping mapping = mappingT;
    static constexpr int accumulators = accumulatorsT;
};

}  // namespace redtune
