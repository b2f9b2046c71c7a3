#include "tuner/jit/compiler.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "db/space.h"
#include "tests/support/database_fixture.h"
#include "tests/support/devices.h"
#include "tests/support/source_path.h"
#include "tuner/jit/operator_file.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::jit {
namespace {

class CompilerTest : public ::testing::Test {
  protected:
    KernelName good(int block) const {
        return {"templates/single_block.cuh", "redtune::single_block<" +
                                                  launch::device_problem(make_problem("sum", Type::f32)) + ", " +
                                                  std::to_string(block) + ", 1, 16, 0>"};
    }

    db::TemporaryFolder folder_;
    SourceSet sources_ = SourceSet::load();
    CubinCache cache_{folder_.path() / "cache", std::uint64_t{64} << 20};
};

TEST_F(CompilerTest, KernelsOfOneSourceShareACubin) {
    Compiler compiler(sources_, cache_, "sm_90", 1);
    const auto kernels = compiler.compile({good(32), good(64)});
    ASSERT_EQ(kernels.size(), 2U);
    for (const CompiledKernel& kernel : kernels) {
        ASSERT_EQ(kernel.error, "");
        EXPECT_EQ(kernel.cubin->substr(1, 3), "ELF");
        EXPECT_NE(kernel.cubin->find(kernel.symbol), std::string::npos);
        EXPECT_GT(kernel.resources.registers, 0U);
        EXPECT_EQ(kernel.resources.spill_bytes, 0U);
    }
    EXPECT_EQ(kernels[0].cubin, kernels[1].cubin);
    EXPECT_NE(kernels[0].symbol, kernels[1].symbol);
    EXPECT_EQ(kernels[0].resources.shared_bytes, 0U) << "one warp needs no shared memory";
    EXPECT_GT(kernels[1].resources.shared_bytes, 0U);
}

// Compiles the two example files that the documentation refers to.
TEST_F(CompilerTest, AUsersFamilyAndOperatorCompileWithOurs) {
    const std::string example_family = test::source_path("examples/contiguous.cuh");
    const OperatorFile own = read_operator_file(test::source_path("examples/sum_of_cubes.cuh"));
    sources_.add_template(example_family);
    sources_.add_operator(own.path, own.text);
    const std::vector<Family> families = sources_.families();
    std::vector<KernelName> names;
    for (const auto& [input, types] : own.types) {
        const Problem problem = make_problem(own, input);
        for (const char* name : {"contiguous", "grid_stride_wide", "shared_sequential"}) {
            const auto candidates = db::candidates(find_family(families, name), test_support::h200(), problem, 1 << 24);
            ASSERT_FALSE(candidates.empty()) << name;
            for (const KernelRole role : roles_of(candidates.front().rule)) {
                names.push_back(launch::kernel_name(find_family(families, name), problem,
                                                    {candidates.front().configuration, candidates.front().rule}, role));
            }
        }
    }
    const auto kernels = Compiler(sources_, cache_, "sm_90").compile(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(kernels[i].error, "") << names[i].expression;
        EXPECT_NE(names[i].expression.find("redtune::SumOfCubes<"), std::string::npos);
    }
    EXPECT_GE(names.size(), 3 * own.types.size());

    // Without the operator's file, the compiler reports an unknown name.
    const auto without = Compiler(SourceSet::load(), cache_, "sm_90").compile({names.back()});
    EXPECT_NE(without[0].error.find("SumOfCubes"), std::string::npos) << without[0].error;
}

TEST_F(CompilerTest, AChangedOperatorIsCompiledAgain) {
    const OperatorFile own = read_operator_file(test::source_path("examples/sum_of_cubes.cuh"));
    const KernelName name{
        "templates/single_block.cuh",
        "redtune::single_block<" + launch::device_problem(make_problem(own, Type::f32)) + ", 32, 1, 16, 0>"};
    const auto from_cache = [&](const std::string& text) {
        SourceSet sources = SourceSet::load();
        sources.add_operator(own.path, text);
        CompileCounts counts;
        const auto kernels =
            Compiler(sources, cache_, "sm_90").compile({name}, [&](const CompileCounts& now) { counts = now; });
        EXPECT_EQ(kernels[0].error, "");
        return counts.from_cache;
    };
    EXPECT_EQ(from_cache(own.text), 0U);
    EXPECT_EQ(from_cache(own.text), 1U);
    EXPECT_EQ(from_cache(own.text + "// changed\n"), 0U);
}

TEST_F(CompilerTest, ASecondCompilerFindsThemInTheCache) {
    const std::vector<KernelName> names = {good(32), good(64)};
    const auto first = Compiler(sources_, cache_, "sm_90").compile(names);
    CompileCounts counts;
    const auto second =
        Compiler(sources_, cache_, "sm_90").compile(names, [&](const CompileCounts& now) { counts = now; });
    EXPECT_EQ(counts.from_cache, 2U);
    EXPECT_EQ(*second[1].cubin, *first[1].cubin);
    EXPECT_EQ(second[1].symbol, first[1].symbol);
    EXPECT_EQ(second[1].resources.registers, first[1].resources.registers);
    Compiler(sources_, cache_, "sm_80").compile(names, [&](const CompileCounts& now) { counts = now; });
    EXPECT_EQ(counts.from_cache, 0U) << "another architecture is another cubin";
}

TEST_F(CompilerTest, ABadKernelFailsAlone) {
    Compiler compiler(sources_, cache_, "sm_90", 1);
    KernelName bad = good(33);  // a static_assert demands whole warps
    CompileCounts counts;
    const auto kernels = compiler.compile({good(32), bad, good(64)}, [&](const CompileCounts& now) { counts = now; });
    EXPECT_EQ(kernels[0].error, "");
    EXPECT_NE(kernels[1].error.find("whole warps"), std::string::npos) << kernels[1].error;
    EXPECT_EQ(kernels[2].error, "");
    EXPECT_EQ(counts.failed, 1U);
    EXPECT_EQ(counts.done, 3U);
}

TEST_F(CompilerTest, StopsBetweenPrograms) {
    const std::atomic<bool> stop = true;
    const auto kernels = Compiler(sources_, cache_, "sm_90").compile({good(32)}, {}, &stop);
    EXPECT_EQ(kernels[0].error, "stopped");
}

TEST_F(CompilerTest, AnUnknownArchitectureIsADeviceError) {
    EXPECT_THROW(Compiler(sources_, cache_, "sm_10"), DeviceError);
}

}  // namespace
}  // namespace redtune::jit
