#include "tuner/core/nearest_name.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tuner/core/operator.h"

namespace redtune {
namespace {

TEST(NearestName, UnderstandsTheNamesOfOtherLibraries) {
    EXPECT_EQ(nearest_name("float", type_names()), "f32");
    EXPECT_EQ(nearest_name("half", type_names()), "f16");
    EXPECT_EQ(nearest_name("Double", type_names()), "f64");
    EXPECT_EQ(nearest_name("int64", type_names()), "i64");
    EXPECT_EQ(nearest_name("avg", operator_names()), "mean");
    EXPECT_EQ(nearest_name("average", {"sum", "max"}), "") << "a synonym of a name that is not allowed";
}

TEST(NearestName, IgnoresCaseAndTypingErrors) {
    EXPECT_EQ(nearest_name("SUM", operator_names()), "sum");
    EXPECT_EQ(nearest_name("sm", operator_names()), "sum");
    EXPECT_EQ(nearest_name("smu", operator_names()), "sum");
    EXPECT_EQ(nearest_name("summ", operator_names()), "sum");
    EXPECT_EQ(nearest_name("l2-norm", operator_names()), "l2_norm");
    EXPECT_EQ(nearest_name("sum_of_sqares", operator_names()), "sum_of_squares");
    EXPECT_EQ(nearest_name("F32", type_names()), "f32");
}

TEST(NearestName, CompletesAUniquePrefix) {
    EXPECT_EQ(nearest_name("exh", {"quick", "exhaustive"}), "exhaustive");
    EXPECT_EQ(nearest_name("back", {"cold", "back_to_back"}), "back_to_back");
    EXPECT_EQ(nearest_name("arg", operator_names()), "") << "argmin and argmax begin so";
}

TEST(NearestName, IsEmptyIfNoNameIsNear) {
    EXPECT_EQ(nearest_name("banana", operator_names()), "");
    EXPECT_EQ(nearest_name("q", operator_names()), "");
    EXPECT_EQ(nearest_name("", operator_names()), "");
    EXPECT_EQ(nearest_name("sum", {}), "");
    EXPECT_EQ(did_you_mean("banana", operator_names()), "");
    EXPECT_EQ(did_you_mean("SUM", operator_names()), "; did you mean 'sum'?");
}

TEST(EditDistance, CountsOneForEachTypingError) {
    EXPECT_EQ(edit_distance("shared_bytes", "shared_bytes"), 0U);
    EXPECT_EQ(edit_distance("shared_byte", "shared_bytes"), 1U);
    EXPECT_EQ(edit_distance("slots_zerod", "slots_zeroed"), 1U);
    EXPECT_EQ(edit_distance("pld", "pdl"), 1U);
    EXPECT_EQ(edit_distance("grid", "tile"), 4U);
    EXPECT_EQ(edit_distance("", "tile"), 4U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

std::string some_text() {
    return *rc::gen::container<std::string>(rc::gen::inRange('a', 'e'));
}

RC_GTEST_PROP(EditDistance, IsSymmetricAndNoLongerThanTheLongerWord, ()) {
    const std::string a = some_text();
    const std::string b = some_text();
    const std::size_t distance = edit_distance(a, b);
    RC_ASSERT(distance == edit_distance(b, a));
    RC_ASSERT(distance <= std::max(a.size(), b.size()));
    RC_ASSERT(distance >= std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
    RC_ASSERT((distance == 0) == (a == b));
}

RC_GTEST_PROP(NearestName, CorrectsOneWrongLetter, ()) {
    const std::vector<std::string> names = {"two_kernel", "dependent", "ticket", "publish", "atomic", "packed"};
    const std::string name = *rc::gen::elementOf(names);
    std::string typed = name;
    typed[*rc::gen::inRange<std::size_t>(0, name.size())] = *rc::gen::element('x', 'z', '_');
    RC_ASSERT(nearest_name(typed, names) == name);
}

}  // namespace
}  // namespace redtune
