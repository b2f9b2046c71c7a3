#include "compare/unchanged_kernels.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/database_fixture.h"
#include "tuner/core/operator.h"

namespace redtune::compare {
namespace {

class UnchangedKernels : public testing::Test {
  protected:
    /// Returns the sources of this build, with a replacement in a file.
    jit::SourceSet changed_sources(const std::string& path, const std::string& text, const std::string& by) {
        for (const gpu::Header& source : jit::SourceSet::load().headers()) {
            const std::filesystem::path file = folder_ / source.name;
            std::filesystem::create_directories(file.parent_path());
            std::string contents = source.text;
            if (source.name == path) contents.replace(contents.find(text), text.size(), by);
            db::write_file(file, contents);
        }
        return jit::SourceSet::from_folder(folder_.path().string());
    }
    /// Returns the block sizes of tile_per_block whose kernels for the sum of f32 the change leaves as they are.
    std::vector<std::int64_t> unchanged_blocks(const std::string& text, const std::string& by) {
        KernelVersion new_version(jit::SourceSet::load(), cache_, "sm_90");
        KernelVersion old_version(changed_sources("templates/tile_per_block.cuh", text, by), cache_, "sm_90");
        std::vector<db::MeasuredKernels> measured;
        for (const std::int64_t block : {128, 512}) {
            measured.push_back({block,
                                0,
                                {"tile_per_block",
                                 {{"block", block},
                                  {"unroll", std::int64_t{1}},
                                  {"vector_bytes", std::int64_t{4}},
                                  {"finish", "publish"}}},
                                {},
                                make_problem("sum", Type::f32)});
        }
        std::vector<std::int64_t> blocks;
        for (const auto& each : find_unchanged_kernels(measured, new_version, old_version)) {
            blocks.push_back(each.configuration_id);
        }
        return blocks;
    }

    db::TemporaryFolder folder_;
    jit::CubinCache cache_{folder_ / "cache", std::uint64_t{64} << 20};
    const std::string first_statement_ = "    begin_finish<Problem, block, finish, pdl>();\n";
};

using Blocks = std::vector<std::int64_t>;

TEST_F(UnchangedKernels, ThatCompileToTheSameMachineCodeAreFound) {
    EXPECT_EQ(unchanged_blocks(first_statement_, first_statement_ + "    static_assert(block > 0);\n"),
              (Blocks{128, 512}));
}

TEST_F(UnchangedKernels, AreThoseThatAChangeLeavesOut) {
    EXPECT_EQ(unchanged_blocks(first_statement_, "    if (block > 256) __syncthreads();\n" + first_statement_),
              (Blocks{128}));
}

TEST_F(UnchangedKernels, ThereAreNoneIfLaunchesAreComputedDifferently) {
    EXPECT_EQ(unchanged_blocks("iif(n <= 256 * tile, 32, 512)", "iif(n <= 128 * tile, 32, 512)"), Blocks{});
}

TEST_F(UnchangedKernels, ThereAreNoneOfThoseThatDoNotCompile) {
    EXPECT_EQ(unchanged_blocks(first_statement_, "    static_assert(block < 256);\n" + first_statement_),
              (Blocks{128}));
}

}  // namespace
}  // namespace redtune::compare
