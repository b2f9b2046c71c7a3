#include "compare/reader_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "compare/limit_probes.h"

namespace redtune::compare {
namespace {

using testing::Contains;
using testing::Each;
using testing::Field;
using testing::Not;

RC_GTEST_PROP(ReaderShapes, AreDifferentAndHaveNoBlockWithoutATile, ()) {
    const auto words = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 30);
    const auto shapes = reader_shapes(words, *rc::gen::inRange(1U, 200U));
    for (const ReaderShape& shape : shapes) {
        RC_ASSERT(std::count(shapes.begin(), shapes.end(), shape) == 1);
        RC_ASSERT(shape.grid >= 1U);
        RC_ASSERT((std::uint64_t{shape.grid} - 1) * shape.block * shape.loads < words);
        RC_ASSERT(std::find(std::begin(reader_loads), std::end(reader_loads), shape.loads) != std::end(reader_loads));
    }
}

TEST(ReaderShapes, ASmallInputIsReadByOneBlockAndBySeveral) {
    const auto shapes = reader_shapes(4096, 132);
    EXPECT_THAT(shapes, Contains(ReaderShape{1024, 4, 1}));
    EXPECT_THAT(shapes, Contains(ReaderShape{128, 4, 8}));
}

TEST(ReaderShapes, ATinyInputIsReadByOneBlockOnly) {
    EXPECT_THAT(reader_shapes(1, 132), Each(Field(&ReaderShape::grid, 1U)));
    EXPECT_THAT(reader_shapes(64, 132), Contains(ReaderShape{64, 1, 1})) << "one load of each thread";
}

TEST(ReaderShapes, ALargeInputIsNotReadByOneBlock) {
    const auto shapes = reader_shapes(std::uint64_t{1} << 28, 132);
    EXPECT_THAT(shapes, Not(Contains(Field(&ReaderShape::grid, 1U))));
    EXPECT_THAT(shapes, Contains(ReaderShape{512, 8, 528})) << "as many blocks as fit";
    EXPECT_THAT(shapes, Contains(ReaderShape{512, 8, 4224}));
    EXPECT_THAT(shapes, Contains(ReaderShape{512, 8, 65536})) << "a block for each tile";
}

TEST(ReaderShapes, AShapeIsNamedByItsLaunch) {
    EXPECT_EQ(to_string(ReaderShape{512, 8, 528}), "block=512, loads=8, grid=528");
}

TEST(ReaderWords, AreThoseThatLieInTheInput) {
    EXPECT_EQ(reader_words(256, 64), 4U);
    EXPECT_EQ(reader_words(260, 64), 3U);
    EXPECT_EQ(reader_words(256, 79), 4U);
    EXPECT_EQ(reader_words(257, 30), 0U);
    EXPECT_EQ(reader_words(257, 31), 1U);
    EXPECT_EQ(reader_words(256, 0), 0U);
    EXPECT_EQ(reader_words(260, 4), 0U);
}

}  // namespace
}  // namespace redtune::compare
