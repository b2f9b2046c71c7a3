#include "tuner/emit/inlined_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tuner/emit/fill_in.h"

namespace redtune::emit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

InlinedSources inlined(const std::string& text, const std::string& included = "") {
    jit::SourceSet sources = jit::SourceSet::load();
    sources.add_operator("included.cuh", included);
    sources.add_operator("/home/somebody/first.cuh", text);
    const std::vector<std::string> paths{"/home/somebody/first.cuh", "included.cuh"};
    return inline_sources(sources, paths);
}

TEST(InlinedSources, HaveEverySourceOnceAfterThoseItIncludes) {
    const std::string text =
        inlined("#pragma once\n#include \"included.cuh\"\n#  include \"included.cuh\"\n// comment\nint first;\n",
                "#pragma once\nint included;\n")
            .text;
    EXPECT_EQ(text,
              "// ---- included.cuh ----\n\nint included;\n\n// ---- first.cuh ----\n\n// comment\nint first;\n\n");
}

TEST(InlinedSources, LeaveOutFrontMatterAndListTheToolkitsHeaders) {
    const InlinedSources result = inlined("/*redtune\noperator = \"x\"\n*/\n#include <cuda_fp16.h>\nint first;\n",
                                          "#include <cuda_fp16.h>\n#include <math_constants.h>\n");
    EXPECT_THAT(result.text, Not(HasSubstr("redtune")));
    EXPECT_THAT(result.text, Not(HasSubstr("include <")));
    EXPECT_THAT(result.system_includes, ElementsAre("<cuda_fp16.h>", "<math_constants.h>"));
}

TEST(InlinedSources, UndefineTheMacrosThatSourcesLeaveDefined) {
    const std::string text = inlined("#define LEFT(x) x\n#define GONE 1\n#undef GONE\n").text;
    EXPECT_THAT(text, testing::EndsWith("\n#undef LEFT\n"));
    EXPECT_THAT(text, Not(testing::EndsWith("#undef GONE\n#undef LEFT\n")));
}

TEST(InlinedSources, MakeConstexprFunctionsDeviceFunctions) {
    const std::string text = inlined(
                                 "constexpr bool f() {\n"
                                 "    static constexpr bool g(int i) { return i == 1; }\n"
                                 "__device__ constexpr int h(int i) { return i; }\n"
                                 "constexpr int value = f() ? 1 : 2;\n"
                                 "    if constexpr (f()) {\n")
                                 .text;
    EXPECT_THAT(text, HasSubstr("\n__host__ __device__ constexpr bool f() {\n"
                                "    __host__ __device__ static constexpr bool g(int i) { return i == 1; }\n"
                                "__device__ constexpr int h(int i) { return i; }\n"
                                "inline constexpr int value = f() ? 1 : 2;\n"
                                "    if constexpr (f()) {\n"));
}

TEST(InlinedSources, RefuseASourceThatDoesNotExist) {
    EXPECT_THROW(inlined("#include \"missing.cuh\"\n"), InputError);
}

TEST(FillIn, ReplacesNamesAndRefusesMissingOnes) {
    EXPECT_THROW(fill_in("plan", {}), Error);
    EXPECT_THROW(fill_in("no such text", {}), Error);
    EXPECT_THAT(fill_in("cuda_allow_launches", {{"kernel_count", "3"}, {"limits", "{1, 0}"}}),
                HasSubstr("limits[3] = {{1, 0}};"));
    EXPECT_EQ(replace_all("aXbX", "X", "XX"), "aXXbXX");
}

}  // namespace
}  // namespace redtune::emit
