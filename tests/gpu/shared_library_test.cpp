#include "tuner/gpu/shared_library.h"

#include <gtest/gtest.h>

#include <cmath>

namespace redtune::gpu {
namespace {

TEST(SharedLibrary, OpensByNameAndFindsSymbols) {
    std::string reason;
    const auto library = SharedLibrary::open("libm.so.6", reason);
    ASSERT_TRUE(library) << reason;
    const auto cosine = reinterpret_cast<double (*)(double)>(library->symbol("cos"));
    ASSERT_NE(cosine, nullptr);
    EXPECT_DOUBLE_EQ(cosine(0), 1);
    EXPECT_EQ(library->symbol("no_such_function"), nullptr);
}

TEST(SharedLibrary, SaysWhyItCannotBeOpened) {
    std::string reason;
    EXPECT_FALSE(SharedLibrary::open("/nowhere/libnothing.so.1", reason));
    EXPECT_NE(reason.find("/nowhere/libnothing.so.1"), std::string::npos) << reason;
}

TEST(SharedLibrary, KnowsTheFileOfAnAddress) {
    std::string reason;
    const auto library = SharedLibrary::open("libm.so.6", reason);
    ASSERT_TRUE(library) << reason;
    EXPECT_EQ(file_of(library->symbol("cos")).filename(), "libm.so.6");
    EXPECT_TRUE(file_of(nullptr).empty());
}

TEST(SharedLibrary, BuildIdIsOfTheObjectThatHoldsTheAddress) {
    std::string reason;
    const auto maths = SharedLibrary::open("libm.so.6", reason);
    const auto c = SharedLibrary::open("libc.so.6", reason);
    ASSERT_TRUE(maths && c) << reason;
    const std::string build_id = build_id_of(maths->symbol("cos"));
    // The build IDs of a distribution's libraries are SHA-1 hashes.
    EXPECT_EQ(build_id.size(), 40U);
    EXPECT_EQ(build_id.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(build_id, build_id_of(maths->symbol("sin")));
    EXPECT_NE(build_id, build_id_of(c->symbol("puts")));
    EXPECT_TRUE(build_id_of(nullptr).empty());
}

}  // namespace
}  // namespace redtune::gpu
