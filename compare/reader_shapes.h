#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace redtune::compare {

/// The launch of a reader, a kernel that only reads (probe_reader in kernels_src/limit_kernels.cuh).
struct ReaderShape {
    std::uint32_t block = 0;  ///< threads
    std::uint32_t loads = 0;  ///< words that a thread loads before it uses one: a number of reader_loads
    std::uint32_t grid = 0;   ///< blocks

    friend bool operator==(const ReaderShape&, const ReaderShape&) = default;
};

inline constexpr std::uint64_t reader_word_bytes = 16;
inline constexpr std::uint32_t reader_loads[] = {1, 2, 4, 8};

/// Returns "block=512, loads=8, grid=528".
std::string to_string(const ReaderShape& shape);

/// Returns the shapes to try in the search for the fastest reader of `words` words, without repeats: one block, if the
/// input is small enough for it; one block for each tile; and grids that fill the device once or several times.
std::vector<ReaderShape> reader_shapes(std::uint64_t words, std::uint32_t sm_count);

}  // namespace redtune::compare
