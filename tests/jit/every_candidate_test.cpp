#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "db/space.h"
#include "tests/support/database_fixture.h"
#include "tests/support/devices.h"
#include "tuner/bench/fixed_kernels.h"
#include "tuner/jit/compiler.h"

namespace redtune::jit {
namespace {

/// All kernels that any candidate of any octave needs on a device, and the tuner's own.
std::vector<KernelName> all_kernels(const std::vector<Family>& families, const DeviceInfo& device, Type type) {
    const Problem problem = make_problem("sum", type);
    std::set<KernelName> names;
    for (const Family& family : families) {
        for (int octave = 8; octave <= 32; ++octave) {
            for (const Candidate& candidate : db::candidates(family, device, problem, std::uint64_t{1} << octave)) {
                for (const KernelRole role : roles_of(candidate.rule)) {
                    names.insert(kernel_name(family, problem, candidate, role));
                }
            }
        }
    }
    for (const KernelName& name : bench::fixed_kernel_names(problem)) names.insert(name);
    return {names.begin(), names.end()};
}

/// Compute capabilities from Turing to Blackwell, as major x 10 + minor.
class EveryCandidate : public ::testing::TestWithParam<int> {};

// $REDTUNE_EVERY_CANDIDATE=1 compiles them all (see scripts/compile-all); without it every 23rd is.
TEST_P(EveryCandidate, Compiles) {
    const bool all = std::getenv("REDTUNE_EVERY_CANDIDATE") != nullptr;
    DeviceInfo device = redtune::test_support::h200();
    device.compute_major = GetParam() / 10;
    device.compute_minor = GetParam() % 10;
    const SourceSet sources = SourceSet::load();
    const std::vector<Family> families = sources.families();
    const db::TemporaryFolder folder;
    CubinCache cache(folder.path() / "cache", std::uint64_t{1} << 30);
    Compiler compiler(sources, cache, device.architecture());
    std::size_t compiled = 0;
    for (const Type type : {Type::f32, Type::i32}) {
        std::vector<KernelName> names = all_kernels(families, device, type);
        if (!all) {
            std::vector<KernelName> sample;
            for (std::size_t i = static_cast<std::size_t>(GetParam()) % 23; i < names.size(); i += 23) {
                sample.push_back(names[i]);
            }
            names = sample;
        }
        const std::vector<CompiledKernel> kernels = compiler.compile(names);
        for (std::size_t i = 0; i < names.size(); ++i) {
            EXPECT_EQ(kernels[i].error, "") << names[i].expression;
            // Blocks of 1024 threads have 64 registers each, and may spill a few; more is a mistake in a kernel.
            EXPECT_LE(kernels[i].resources.spill_bytes, 256U) << names[i].expression;
            compiled += kernels[i].error.empty();
        }
    }
    RecordProperty("kernels", static_cast<int>(compiled));
    std::printf("%s: %zu kernels\n", device.architecture().c_str(), compiled);
    EXPECT_GT(compiled, 10U);
}

INSTANTIATE_TEST_SUITE_P(Architectures, EveryCandidate, ::testing::Values(75, 80, 86, 89, 90, 100, 120),
                         [](const auto& test) { return "sm_" + std::to_string(test.param); });

}  // namespace
}  // namespace redtune::jit
