#include "compare/limit_probes.h"

#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"

namespace redtune::compare {
namespace {

/// The parameter is an architecture.
class LimitKernels : public testing::TestWithParam<const char*> {};

TEST_P(LimitKernels, Compile) {
    const db::TemporaryFolder folder;
    const jit::SourceSet sources = jit::SourceSet::load();
    jit::CubinCache cache(folder / "cache", std::uint64_t{64} << 20);
    jit::Compiler compiler(sources, cache, GetParam());
    const std::vector<jit::KernelName> names = limit_kernel_names();
    EXPECT_EQ(names.size(), 2U * (3 + std::size(reader_loads)));
    const std::vector<jit::CompiledKernel> kernels = compiler.compile(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(kernels[i].error, "") << names[i].expression;
        EXPECT_EQ(kernels[i].resources.spill_bytes, 0U) << names[i].expression;
        // Two blocks of 512 threads, or one of 1024, fit into an SM's 65,536 registers.
        EXPECT_LE(kernels[i].resources.registers, 64U) << names[i].expression;
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, LimitKernels, testing::Values("sm_75", "sm_90", "sm_120"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace redtune::compare
