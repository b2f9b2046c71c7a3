#include "compare/reader_shapes.h"

#include <fmt/format.h>

#include <algorithm>

namespace redtune::compare {

namespace {

/// The largest input that one block reads: above it, one block is far slower than several on any device.
constexpr std::uint64_t most_words_of_one_block = (std::uint64_t{512} << 10) / reader_word_bytes;

/// A shape whose grid depends on the input: `blocks_per_sm` blocks for each SM, but at most one for each tile.
/// blocks_per_sm 0: one block for each tile.
struct ShapeRule {
    std::uint32_t block;
    std::uint32_t loads;
    std::uint32_t blocks_per_sm;
};

// The launches with which the winners of tile_per_block and grid_stride_wide read (an H200, 2026-11-22), and their
// neighbours. With 8 loads a reader takes 38 registers on sm_90, so 3 blocks of 512 threads or 6 of 256 fit on an SM.
constexpr ShapeRule grid_rules[] = {{128, 4, 0},  {256, 4, 0},  {512, 2, 0}, {512, 4, 0}, {512, 8, 0},
                                    {1024, 4, 0}, {256, 8, 6},  {256, 8, 8}, {512, 4, 4}, {512, 8, 3},
                                    {512, 8, 4},  {1024, 4, 2}, {512, 8, 32}};
// The first ones are for inputs of up to 16 KiB: further loads of a thread would only repeat the last word, and take
// time.
constexpr ShapeRule one_block_rules[] = {{64, 1, 0},  {128, 1, 0}, {128, 2, 0},  {256, 1, 0},  {256, 2, 0},
                                         {512, 1, 0}, {512, 2, 0}, {1024, 1, 0}, {128, 4, 0},  {256, 4, 0},
                                         {256, 8, 0}, {512, 4, 0}, {512, 8, 0},  {1024, 4, 0}, {1024, 8, 0}};

}  // namespace

std::string to_string(const ReaderShape& shape) {
    return fmt::format("block={}, loads={}, grid={}", shape.block, shape.loads, shape.grid);
}

std::vector<ReaderShape> reader_shapes(std::uint64_t words, std::uint32_t sm_count) {
    std::vector<ReaderShape> shapes;
    const auto add = [&](const ReaderShape& shape) {
        if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
    };
    if (words <= most_words_of_one_block) {
        for (const ShapeRule& rule : one_block_rules) add({rule.block, rule.loads, 1});
    }
    for (const ShapeRule& rule : grid_rules) {
        const std::uint64_t tile = std::uint64_t{rule.block} * rule.loads;
        std::uint64_t grid = std::max<std::uint64_t>(1, (words + tile - 1) / tile);
        if (rule.blocks_per_sm != 0) grid = std::min(grid, std::uint64_t{rule.blocks_per_sm} * sm_count);
        add({rule.block, rule.loads, static_cast<std::uint32_t>(grid)});
    }
    return shapes;
}

}  // namespace redtune::compare
