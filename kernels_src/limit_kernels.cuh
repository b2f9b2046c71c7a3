// Probes whose times bound those of all reductions from below (docs/method.md, "The limit"). redtune-bench times them;
// no family uses them. With pdl, a probe is launched as the kernels of the regime back_to_back are.
#pragma once

#include "kernels_src/dependent_launch.cuh"
#include "kernels_src/load_paths.cuh"
#include "kernels_src/memory_model.cuh"

namespace redtune {

/// Does nothing.
template <bool pdl>
__global__ void probe_empty() {
    begin_pdl<pdl>();
}

/// Loads one byte of the input and stores it. The grid is one block of one thread.
template <bool pdl>
__global__ void probe_load(const u8* input, u32* output) {
    begin_pdl<pdl>();
    *output = *input;
}

/// Loads one byte of the input in the second block and hands it to the first block, which stores it. The grid is two
/// blocks of one thread. `slot` must be zero before, and is zero again afterwards.
template <bool pdl>
__global__ void probe_handover(const u8* input, u64* slot, u32* output) {
    begin_pdl<pdl>();
    // One word carries the value and the sign that it is there, as in the finish `publish`.
    constexpr u64 published = u64(1) << 32;
    if (blockIdx.x != 0) {
        store_relaxed(slot, published | *input);
        return;
    }
    u64 word = load_relaxed(slot);
    while (word == 0) word = load_relaxed(slot);
    store_relaxed(slot, 0);
    *output = u32(word);
}

/// Reads `count` words, at least one, and combines them by exclusive or, which takes less time than any load. A block
/// reads tiles of blockDim.x * loads consecutive words and issues all loads of a tile before it uses one; its tiles are
/// a grid apart. The result is stored only if it is a value that random inputs do not give, so that the compiler cannot
/// remove the loads and no store takes time.
template <int loads, bool pdl>
__global__ void probe_reader(const uint4* words, const u64 count, u32* output) {
    begin_pdl<pdl>();
    constexpr Path path = pdl ? Path::plain : Path::no_allocate;
    const u64 tile = u64(blockDim.x) * loads;
    u32 combined = 0;
    for (u64 begin = blockIdx.x * tile; begin < count; begin += gridDim.x * tile) {
        const u64 first = begin + threadIdx.x;
        uint4 loaded[loads];
        if (begin + tile <= count) {
#pragma unroll
            for (int i = 0; i < loads; ++i) loaded[i] = load_word<path>(words + first + u64(i) * blockDim.x);
        } else {
            // Clamps indices past the end to the last word: predicated loads would be waited for one by one.
#pragma unroll
            for (int i = 0; i < loads; ++i) {
                const u64 index = first + u64(i) * blockDim.x;
                loaded[i] = load_word<path>(words + (index < count ? index : count - 1));
            }
        }
#pragma unroll
        for (int i = 0; i < loads; ++i) combined ^= loaded[i].x ^ loaded[i].y ^ loaded[i].z ^ loaded[i].w;
    }
    constexpr u32 improbable = 0x5eed5eed;
    if (combined == improbable) *output = combined;
}

}  // namespace redtune
