#include "tuner/core/finish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "redtune/error.h"
#include "tuner/core/operator.h"
#include "tuner/jit/source_set.h"

namespace redtune {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int hopper = 90;

/// Returns the text that the first group of a regular expression matches in a device source; "" without a match.
std::string find_in(const std::string& path, const std::string& pattern) {
    const jit::SourceSet sources = jit::SourceSet::load();
    std::smatch match;
    const std::string& text = sources.text(path);
    return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

TEST(Finish, EnumeratorsEqualThoseOfTheDeviceCode) {
    std::string names;
    for (const std::string& name : finish_names()) names += (names.empty() ? "" : ", ") + name;
    EXPECT_EQ(find_in("kernels_src/finish.cuh", "enum class Finish \\{ ([a-z_, ]+) \\}"), names);
}

TEST(Finish, GridLimitsEqualThoseOfTheDeviceCode) {
    const Problem floats = make_problem("sum", Type::f32);
    const Problem wide = make_problem("sum", Type::i64);
    EXPECT_EQ(std::to_string(most_blocks(Finish::packed, floats)),
              find_in("kernels_src/float_bins.cuh", "max_summands = ([0-9]+);"));
    const std::string integers = find_in("kernels_src/packed_finish.cuh", "max_packed_parts = (0x[0-9a-f]+);");
    ASSERT_NE(integers, "");
    EXPECT_EQ(most_blocks(Finish::packed, wide), std::stoul(integers, nullptr, 16));
    EXPECT_EQ(most_blocks(Finish::packed, make_problem("sum", Type::i32)), max_grid);
    EXPECT_EQ(most_blocks(Finish::publish, floats), max_grid);
}

TEST(Finish, TableHasOneRowForEachFinish) {
    ASSERT_EQ(finishes().size(), finish_names().size());
    for (std::size_t i = 0; i < finishes().size(); ++i) {
        const Finish finish = finishes()[i].finish;
        EXPECT_EQ(static_cast<std::size_t>(finish), i);
        EXPECT_EQ(traits_of(finish).finish, finish);
        EXPECT_EQ(to_string(finish), finish_names()[i]);
        EXPECT_EQ(parse_finish(finish_names()[i]), finish);
    }
    EXPECT_THAT([] { parse_finish("publsh"); }, ThrowsMessage<InputError>(HasSubstr("did you mean 'publish'?")));
}

TEST(Finish, IsSupportedIfItsRequirementsAreMet) {
    const Problem sum = make_problem("sum", Type::f32);
    for (const FinishTraits& traits : finishes()) {
        EXPECT_TRUE(is_supported(traits.finish, sum, hopper)) << to_string(traits.finish);
        const bool is_old = traits.minimum_compute_capability <= 75;
        EXPECT_EQ(is_supported(traits.finish, sum, 75), is_old) << to_string(traits.finish);
    }
    for (const Finish finish : {Finish::dependent, Finish::cluster, Finish::cluster_publish}) {
        EXPECT_FALSE(is_supported(finish, sum, 89)) << to_string(finish);
    }
    const Problem pairs = make_problem("argmin", Type::f32);
    EXPECT_TRUE(is_supported(Finish::publish, pairs, hopper));
    EXPECT_FALSE(is_supported(Finish::atomic, pairs, hopper)) << "16 bytes";
    EXPECT_TRUE(is_supported(Finish::atomic, make_problem("max", Type::f64), hopper));
    EXPECT_FALSE(is_supported(Finish::packed, make_problem("max", Type::i32), hopper)) << "no addition";
    EXPECT_FALSE(is_supported(Finish::packed, make_problem("product", Type::f32), hopper));
    EXPECT_FALSE(is_supported(Finish::packed, make_problem("sum", Type::f64), hopper)) << "bins hold f32";
    EXPECT_TRUE(is_supported(Finish::packed, make_problem("sum", Type::i64), hopper));
    EXPECT_TRUE(is_supported(Finish::packed, make_problem("mean", Type::f16), hopper));
}

TEST(Finish, SlotsHaveTheSizeOfTheirContents) {
    const Problem narrow = make_problem("sum", Type::f32);
    const Problem wide = make_problem("sum", Type::f64);
    const Problem pairs = make_problem("argmax", Type::f32);
    for (const Finish finish : {Finish::two_kernel, Finish::dependent, Finish::ticket}) {
        EXPECT_EQ(slot_bytes(finish, narrow), 4U);
        EXPECT_EQ(slot_bytes(finish, wide), 8U);
        EXPECT_EQ(slot_bytes(finish, pairs), 16U);
        EXPECT_FALSE(needs_zeroed_slots(finish, narrow));
    }
    for (const Finish finish : {Finish::publish, Finish::cluster_publish}) {
        EXPECT_EQ(slot_bytes(finish, narrow), 8U);
        EXPECT_EQ(slot_bytes(finish, wide), 16U);
        EXPECT_EQ(slot_bytes(finish, pairs), 16U);
        EXPECT_TRUE(needs_zeroed_slots(finish, narrow));
    }
    for (const Finish finish : {Finish::cluster, Finish::atomic}) {
        EXPECT_EQ(slot_bytes(finish, narrow), 0U);
        EXPECT_FALSE(needs_zeroed_slots(finish, narrow));
    }
    EXPECT_EQ(slot_bytes(Finish::packed, narrow), 8U);
    EXPECT_TRUE(needs_zeroed_slots(Finish::packed, narrow));
    EXPECT_EQ(slot_bytes(Finish::packed, make_problem("sum", Type::i32)), 0U);
    EXPECT_FALSE(needs_zeroed_slots(Finish::packed, make_problem("sum", Type::i32)));
    EXPECT_EQ(slot_bytes(Finish::packed, make_problem("sum", Type::i64)), 16U);
}

TEST(Finish, OnlyAtomicSumsOfFloatsAreNotDeterministic) {
    for (const FinishTraits& traits : finishes()) {
        EXPECT_EQ(is_deterministic(traits.finish, make_problem("sum", Type::f32)), traits.finish != Finish::atomic);
        EXPECT_TRUE(is_deterministic(traits.finish, make_problem("sum", Type::i32)));
        EXPECT_TRUE(is_deterministic(traits.finish, make_problem("max", Type::f32)));
    }
}

TEST(Finish, DifferentTraitsHaveDifferentDescriptions) {
    FinishTraits traits = traits_of(Finish::ticket);
    const std::string before = describe(traits);
    traits.needs_forward_progress = true;
    EXPECT_NE(describe(traits), before);
    EXPECT_NE(describe(traits_of(Finish::two_kernel)), describe(traits_of(Finish::dependent)));
}

}  // namespace
}  // namespace redtune
