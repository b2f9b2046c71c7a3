// Stands in for the inline PTX of kernels_src/load_paths.cuh. All load paths do the same here.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

enum class Path { plain, read_only, no_allocate, prefetch, evict_first };

template <Path path, class Word>
EMULATOR_INLINE Word load_word(const Word* from) {
    return emulator::cached_load(from);
}

template <class Word>
EMULATOR_INLINE Word load_predicated(bool condition, const Word* from) {
    return condition ? emulator::cached_load(from) : Word();
}

}  // namespace redtune
