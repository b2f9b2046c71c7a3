#include "tuner/search/compiling_executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <filesystem>
#include <fstream>
#include <future>

#include "db/space.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::search {
namespace {

class CompilingExecutorTest : public testing::Test {
  protected:
    /// Compiles a kernel into a cache, in a thread, because the executor gives cores of its thread away for good.
    /// @return the last progress. It rethrows what prepare() throws.
    PrepareProgress compile_into(const std::filesystem::path& cache_folder, std::uint64_t cap_bytes) const {
        const auto compile = [&] {
            jit::CubinCache cache(cache_folder, cap_bytes);
            const jit::SourceSet sources = jit::SourceSet::load();
            const Problem problem = make_problem("sum", Type::f32);
            const Trial trial = db::candidates(jit::find_family(sources.families(), "single_block"), db::h200(),
                                               problem, 256, Regime::cold)
                                    .front();
            CompilingExecutor executor("sm_90", problem, sources, cache);
            PrepareProgress last;
            const std::atomic<bool> never = false;
            executor.prepare(
                {&trial, 1}, [&](const PrepareProgress& now) { last = now; }, never);
            return last;
        };
        return std::async(std::launch::async, compile).get();
    }

    db::TemporaryFolder folder_;
};

TEST_F(CompilingExecutorTest, ReportsAllDoneAndPutsTheKernelIntoTheCache) {
    const PrepareProgress first = compile_into(folder_ / "cache", 1 << 30);
    EXPECT_EQ(first, (PrepareProgress{1, 1, 0, 0}));
    const PrepareProgress second = compile_into(folder_ / "cache", 1 << 30);
    EXPECT_EQ(second, (PrepareProgress{1, 1, 1, 0}));
}

TEST_F(CompilingExecutorTest, ACacheThatTakesNoEntriesIsAnError) {
    std::ofstream(folder_ / "file") << "no folder";
    EXPECT_THROW(compile_into(folder_ / "file" / "cache", 1 << 30), Error);
    EXPECT_THROW(compile_into(folder_ / "cache", 0), Error);
}

}  // namespace
}  // namespace redtune::search
