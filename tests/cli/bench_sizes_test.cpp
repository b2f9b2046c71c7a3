#include "tuner/cli/bench_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "redtune/error.h"

namespace redtune::cli {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

Problem problem(Type type, std::uint64_t row_length = 0) {
    Problem made = make_problem("sum", type);
    made.row_length = row_length;
    return made;
}

TEST(BenchSizes, BytesBecomeElements) {
    EXPECT_THAT(bench_sizes({.bytes = "1Ki..4Ki", .elements = "", .random = ""}, problem(Type::f16)),
                ElementsAre(512U, 1024U, 2048U));
}

TEST(BenchSizes, ElementsNeedNotBePowersOfTwo) {
    EXPECT_THAT(bench_sizes({.elements = "1_000_003,1,1e6", .random = ""}, problem(Type::f64)),
                ElementsAre(1U, 1'000'000U, 1'000'003U));
    EXPECT_THAT(bench_sizes({.elements = "1Ki..2Ki:2", .random = ""}, problem(Type::i8)),
                ElementsAre(1024U, 1448U, 2048U));
}

TEST(BenchSizes, RowsAreWhole) {
    EXPECT_THAT(bench_sizes({.elements = "3000,1000", .random = ""}, problem(Type::f32, 1000)),
                ElementsAre(1000U, 3000U));
    const auto refused = [](const BenchSizeOptions& options, const Problem& of, const char* phrase) {
        EXPECT_THAT([&] { bench_sizes(options, of); }, ThrowsMessage<InputError>(HasSubstr(phrase)));
    };
    refused({.elements = "1Ki", .random = ""}, problem(Type::f32, 1000),
            "--size 1Ki is not one or more whole rows of 1000 elements of f32; give a multiple of 1000");
    refused({.bytes = "1Ki", .elements = "", .random = ""}, problem(Type::f32, 1000),
            "--bytes 1Ki is not one or more whole rows of 1000 elements of f32; give a multiple of 4000");
    refused({.elements = "0", .random = ""}, problem(Type::f32), "--size 0 is not one or more whole elements");
}

TEST(BenchSizes, RandomSizesAreRepeatableAndInTheListedRange) {
    const BenchSizeOptions options{.elements = "1Ki..1Gi", .random = "100:7"};
    const auto sizes = bench_sizes(options, problem(Type::f32));
    ASSERT_THAT(sizes, SizeIs(100));
    EXPECT_GE(sizes.front(), 1024U);
    EXPECT_LE(sizes.back(), 1U << 30);
    EXPECT_LT(std::count_if(sizes.begin(), sizes.end(), [](std::uint64_t n) { return std::has_single_bit(n); }), 5);
    EXPECT_EQ(sizes, bench_sizes(options, problem(Type::f64))) << "elements, whatever the type";
    EXPECT_NE(sizes, bench_sizes({.elements = "1Ki..1Gi", .random = "100:8"}, problem(Type::f32)));
    EXPECT_EQ(bench_sizes({.elements = "1Ki..1Gi", .random = "9"}, problem(Type::f32)),
              bench_sizes({.elements = "1Ki..1Gi", .random = "9:1"}, problem(Type::f32)));
}

TEST(BenchSizes, RandomBytesAreWholeElementsInTheRange) {
    EXPECT_THAT(bench_sizes({.bytes = "9,31", .elements = "", .random = "5"}, problem(Type::f32)),
                ElementsAre(3U, 4U, 5U, 6U, 7U));
}

TEST(BenchSizes, RandomSizesOfRowsAreWholeRows) {
    const auto sizes = bench_sizes({.elements = "1Ki..1Mi", .random = "20"}, problem(Type::f32, 1000));
    ASSERT_THAT(sizes, SizeIs(20));
    EXPECT_THAT(sizes, Each(testing::ResultOf([](std::uint64_t n) { return n % 1000; }, 0U)));
    EXPECT_GE(sizes.front(), 2000U);
}

TEST(BenchSizes, WrongRandomSizesAreRefused) {
    for (const char* text : {"0", "-1", "x", "10:", "10:x", "10001", "1.5", "10:1:2"}) {
        EXPECT_THAT([&] { bench_sizes({.elements = "1Ki..1Gi", .random = text}, problem(Type::f32)); },
                    ThrowsMessage<InputError>(HasSubstr("is not COUNT or COUNT:SEED")))
            << text;
    }
    EXPECT_THAT([] { bench_sizes({.elements = "8", .random = "2"}, problem(Type::f32)); },
                ThrowsMessage<InputError>(HasSubstr("or for a wider range")));
}

TEST(BenchSizes, BytesAndElementsExcludeEachOther) {
    BenchSizeOptions options;
    CLI::App app;
    add_bench_size_options(app, options);
    EXPECT_THROW(app.parse("--bytes 1Ki --size 1Ki"), CLI::ParseError);
    app.parse("--size 1000 --random-sizes 5:3");
    EXPECT_EQ(options.elements, "1000");
    EXPECT_EQ(options.random, "5:3");
}

}  // namespace
}  // namespace redtune::cli
