// How the threads that share an input load it, as compile-time constants.
#pragma once

#include "kernels_src/load_paths.cuh"

namespace redtune {

/// Which tiles a part of a span takes. strided: every parts-th tile. contiguous: one range of neighbouring tiles.
enum class Mapping { strided, contiguous };

/// A tile is `threads` x `unroll` vectors of `bytes` each. Thread t loads the vectors t, t + threads, ..., so that the
/// loads of a warp are coalesced, and issues all of them before it uses the first value. The first vector begins where
/// the input is aligned to `alignment` bytes: 128, a cache line, for grids that read much, otherwise `bytes`.
/// accumulators: the most independent accumulators of a thread (instruction-level parallelism).
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
