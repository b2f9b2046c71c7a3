#include "tuner/cli/compare/accuracy_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"

namespace redtune::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<compare::AccuracyRequest> parse_accuracy(const std::string& line) {
    AccuracyOptions options;
    CLI::App app;
    add_accuracy_options(app, options);
    app.parse(line);
    return parse_accuracy(options);
}

TEST(AccuracyOptions, TheDefaultIsEveryProblemAndKindOfDataAtTwoSizes) {
    const std::vector<compare::AccuracyRequest> requests = parse_accuracy("");
    ASSERT_EQ(requests.size(), 5U);
    EXPECT_EQ(requests[0].problem, make_problem("sum", Type::f32));
    EXPECT_EQ(requests[1].problem, make_problem("sum", Type::f16));
    EXPECT_EQ(requests[2].problem, make_problem("sum", Type::bf16));
    EXPECT_EQ(requests[3].problem, make_problem("sum", Type::f64));
    EXPECT_EQ(requests[4].problem, make_problem("dot", Type::f32));
    for (const compare::AccuracyRequest& request : requests) {
        EXPECT_THAT(request.sizes, ElementsAre(64 << 10, 16 << 20));
        EXPECT_EQ(request.data.size(), timing::data_kinds().size());
    }
}

TEST(AccuracyOptions, ListsTakeCommasAndDropRepeatedItems) {
    const auto requests = parse_accuracy("--op sum,sum --dtype f64,f32,f64 --size 100,4Ki --data zeros,uniform,zeros");
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[0].problem.input, Type::f64);
    EXPECT_THAT(requests[1].sizes, ElementsAre(100, 4096));
    ASSERT_EQ(requests[1].data.size(), 2U);
    EXPECT_EQ(requests[1].data[0].name, "zeros");
}

TEST(AccuracyOptions, BytesAreThoseOfTheInput) {
    const auto requests = parse_accuracy("--op sum --dtype f16,f64 --bytes 1Ki");
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_THAT(requests[0].sizes, ElementsAre(512));
    EXPECT_THAT(requests[1].sizes, ElementsAre(128));
}

TEST(AccuracyOptions, RefusesWrongArgumentsAndSaysWhatIsAllowed) {
    const auto refused = [](const char* line, const char* phrase) {
        EXPECT_THAT([&] { parse_accuracy(line); }, ThrowsMessage<InputError>(HasSubstr(phrase))) << line;
    };
    refused("--op max", "allowed are sum, dot");
    refused("--op SUM", "did you mean 'sum'?");
    refused("--dtype i32", "allowed are f32, f16, bf16, f64");
    refused("--op dot --dtype f16,f64", "--op dot is measured in f32 only, not in f16, f64; add f32 to --dtype");
    refused("--data unifrom", "did you mean 'uniform'?");
    refused("--bytes 1026", "give a multiple of 4");
    refused("--size 0", "one or more whole elements of f32");
    EXPECT_THROW(parse_accuracy("--size 64 --bytes 64"), CLI::ExcludesError);
    EXPECT_THROW(parse_accuracy("--regime cold"), CLI::ParseError);
}

}  // namespace
}  // namespace redtune::cli
