#include "tuner/jit/kernel_key.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace redtune::jit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Generates a text without line breaks.
rc::Gen<std::string> line() {
    return rc::gen::container<std::string>(rc::gen::suchThat<char>([](char c) { return c != '\n'; }));
}

rc::Gen<KernelKey> any_key() {
    return rc::gen::build<KernelKey>(rc::gen::set(&KernelKey::architecture, line()),
                                     rc::gen::set(&KernelKey::source, line()),
                                     rc::gen::set(&KernelKey::expression, line()),
                                     rc::gen::set(&KernelKey::code, line()), rc::gen::set(&KernelKey::options, line()));
}

RC_GTEST_PROP(KernelKey, ItsTextGivesItBack, ()) {
    const KernelKey key = *any_key();
    RC_ASSERT(parse_kernel_key(to_text(key)) == key);
}

RC_GTEST_PROP(KernelKey, DifferentKeysHaveDifferentTexts, ()) {
    const KernelKey key = *any_key();
    const KernelKey other = *any_key();
    RC_ASSERT((to_text(key) == to_text(other)) == (key == other));
}

RC_GTEST_PROP(KernelKey, EveryMemberMatters, ()) {
    const KernelKey key = *any_key();
    for (std::string KernelKey::*member : {&KernelKey::architecture, &KernelKey::source, &KernelKey::expression,
                                           &KernelKey::code, &KernelKey::options}) {
        KernelKey changed = key;
        changed.*member += 'x';
        RC_ASSERT(to_text(changed) != to_text(key));
    }
}

RC_GTEST_PROP(KernelKey, NoOtherTextIsAKey, (const std::string& text)) {
    if (const auto key = parse_kernel_key(text)) RC_ASSERT(to_text(*key) == text);
}

TEST(KernelKey, AKeyTellsItsArchitecture) {
    EXPECT_EQ(architecture_of(to_text({"sm_90", "source", "expression", "code", "options"})), "sm_90");
    EXPECT_EQ(architecture_of(cubin_key("sm_120", "bytes")), "sm_120");
    // The keys of versions before 0.1.0 had a hash in the place of the architecture.
    for (const char* other : {"", "kernel", "cubin\n0123", "kernel\n0123\nsource", "redtune doctor"}) {
        EXPECT_EQ(architecture_of(other), "") << other;
    }
}

TEST(KernelKey, CubinsOfTwoArchitecturesHaveTwoKeys) {
    EXPECT_NE(cubin_key("sm_80", "bytes"), cubin_key("sm_90", "bytes"));
    EXPECT_NE(cubin_key("sm_90", "bytes"), cubin_key("sm_90", "other"));
}

TEST(CompatibleArchitectures, HaveTheSameMajorAndALowerMinorVersion) {
    EXPECT_THAT(compatible_architectures("sm_86"), ElementsAre("sm_85", "sm_84", "sm_83", "sm_82", "sm_81", "sm_80"));
    EXPECT_THAT(compatible_architectures("sm_121"), ElementsAre("sm_120"));
    EXPECT_THAT(compatible_architectures("sm_80"), IsEmpty());
    EXPECT_THAT(compatible_architectures("sm_100"), IsEmpty()) << "10.0 is not 9.x";
}

TEST(CompatibleArchitectures, OfEmbeddedDevicesAreNone) {
    EXPECT_THAT(compatible_architectures("sm_87"), IsEmpty());
    EXPECT_THAT(compatible_architectures("sm_101"), IsEmpty());
    EXPECT_THAT(compatible_architectures("sm_89"), testing::Not(testing::Contains("sm_87")));
}

TEST(CompatibleArchitectures, OfNoArchitectureAreNone) {
    for (const char* text : {"", "sm_", "compute_86", "86"}) EXPECT_THAT(compatible_architectures(text), IsEmpty());
}

}  // namespace
}  // namespace redtune::jit
