#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune {
namespace {

/// The source of a family with 36 configurations. The kernel is right if ELEMENTS is replaced by `a.n`.
constexpr const char* family_text = R"(/*redtune
family  = "made_for_a_test"
summary = "Each block folds elements a grid apart"
origin  = "a test"
minimum_compute_capability = "7.5"
[compile]
block  = [64, 128, 256, 512]
unroll = [1, 2, 4]
finish = ["ticket"]
[launch]
blocks_per_sm = [1, 2, 4]
[derived]
tile       = "block * unroll"
grid       = "'blocks_per_sm'"
slot_bytes = "accumulator_bytes"
*/
#pragma once

#include "kernels_src/finish.cuh"

namespace redtune {

template <class Problem, int block, int unroll, Finish finish>
__global__ void __launch_bounds__(block) made_for_a_test(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    auto value = Op::identity();
    const u64 step = u64(gridDim.x) * block;
    for (u64 at = u64(blockIdx.x) * block + threadIdx.x; at < (ELEMENTS); at += step) {
        value = Op::combine(value, element(a, at));
    }
    value = combine_block<Op, block>(value);
    finish_grid<Problem, block, finish>(a, value);
}

}  // namespace redtune
)";

class RandomSizesOnGpu : public ::testing::Test {
  protected:
    /// Makes a folder of device sources whose only template reduces the first `elements` elements.
    void make_sources(const std::string& elements) {
        std::filesystem::create_directories(folder_ / "templates");
        std::filesystem::create_directory_symlink(test::source_path("kernels_src"), folder_ / "kernels_src");
        std::string text = family_text;
        const std::string name = "ELEMENTS";  // as in family_text
        text.replace(text.rfind(name), name.size(), elements);
        db::write_file(folder_ / "templates/made_for_a_test.cuh", text);
    }

    /// Returns the verdict on each configuration at the hard sizes; it is empty for a configuration that passes.
    std::vector<std::string> verdicts(const Problem& problem) {
        test_support::LoadedCandidates loaded(problem);
        const std::vector<Trial> trials = loaded.trials(1 << 20);
        loaded.prepare(trials);
        std::vector<std::string> verdicts;
        for (const Trial& trial : trials) {
            const std::string configuration = to_string(trial.configuration);
            verdicts.push_back(loaded.checker().check_hard_sizes(loaded.load(trial), configuration).value_or(""));
        }
        return verdicts;
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable sources_{"REDTUNE_TEMPLATE_PATH", folder_.path().string()};
};

TEST_F(RandomSizesOnGpu, AKernelThatLosesItsLastElementAtOneRemainderIsAlwaysRefused) {
    make_sources("a.n - (a.n % 7 == 3 ? 1 : 0)");
    for (const Type type : {Type::f32, Type::i32, Type::f16}) {
        const std::vector<std::string> wrong = verdicts(make_problem("sum", type));
        EXPECT_EQ(wrong.size(), 36U);
        for (const std::string& verdict : wrong) EXPECT_NE(verdict, "") << "passed, with " << to_string(type);
    }
}

TEST_F(RandomSizesOnGpu, TheSameKernelWithoutTheDefectPasses) {
    make_sources("a.n");
    const std::vector<std::string> right = verdicts(make_problem("sum", Type::f32));
    EXPECT_EQ(std::set<std::string>(right.begin(), right.end()), std::set<std::string>{""});
}

}  // namespace
}  // namespace redtune
