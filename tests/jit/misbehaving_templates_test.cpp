#include <fmt/format.h>
#include <gtest/gtest.h>

#include "db/space.h"
#include "tests/support/database_fixture.h"
#include "tests/support/devices.h"
#include "tests/support/source_path.h"
#include "tuner/gpu/nvrtc.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::jit {
namespace {

// The templates of tests/needs_gpu/worker_test.cpp must fail when they run, not when they are compiled.
TEST(MisbehavingTemplates, Compile) {
    if (gpu::Nvrtc::find() == nullptr) GTEST_SKIP() << "there is no NVRTC";
    const db::TemporaryFolder folder;
    CubinCache cache(folder.path(), std::uint64_t{64} << 20);
    SourceSet sources = SourceSet::load();
    const std::vector<std::string> names = {"faults", "hangs", "lies", "writes_past_end"};
    for (const std::string& name : names) {
        sources.add_template(test::source_path(fmt::format("tests/needs_gpu/templates/{}.cuh", name)));
    }
    const std::vector<Family> families = sources.families();
    Compiler compiler(sources, cache, "sm_90");
    for (const std::string& name : names) {
        const Family& family = find_family(families, name);
        const auto candidates =
            db::candidates(family, test_support::h200(), Problem(), std::uint64_t{1} << 16, Regime::cold);
        ASSERT_EQ(candidates.size(), 1U) << name;
        const KernelName kernel = launch::kernel_name(
            family, Problem(), {candidates[0].configuration, candidates[0].rule}, roles_of(candidates[0].rule)[0]);
        EXPECT_EQ(compiler.compile({kernel}).at(0).error, "") << name;
    }
}

}  // namespace
}  // namespace redtune::jit
