#include "tuner/gpu/nvrtc_search.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <map>

namespace redtune::gpu {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class NvrtcSearch : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = fs::temp_directory_path() / "nvrtc_search_XXXXXX";
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        root_ = pattern;
    }
    void TearDown() override { fs::remove_all(root_); }

    std::string add_file(const fs::path& file) {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << "a library";
        return root_ / file;
    }
    std::vector<std::string> candidates(const fs::path& program_folder = {}) const {
        const auto read = [this](const char* name) -> std::optional<std::string> {
            const auto found = environment_.find(name);
            return found == environment_.end() ? std::nullopt : std::optional(found->second);
        };
        return nvrtc_candidates(read, program_folder);
    }
    std::size_t position(const std::string& candidate) const {
        const std::vector<std::string> all = candidates();
        return static_cast<std::size_t>(std::ranges::find(all, candidate) - all.begin());
    }

    fs::path root_;
    std::map<std::string, std::string> environment_;
};

TEST_F(NvrtcSearch, ThePreferredFileComesBeforeThoseThatTheLoaderFinds) {
    const Environment none = [](const char*) { return std::optional<std::string>(); };
    const std::vector<std::string> found = nvrtc_candidates(none, {}, "/wheels/libnvrtc.so.13");
    EXPECT_EQ(found.front(), "/wheels/libnvrtc.so.13");
    EXPECT_EQ(nvrtc_candidates([](const char*) { return std::optional<std::string>("/given"); }, {}, "/wheels/x"),
              std::vector<std::string>{"/given"});
}

TEST_F(NvrtcSearch, AFileThatIsGivenIsTheOnlyCandidate) {
    environment_["REDTUNE_NVRTC"] = "/nowhere/libnvrtc.so.13";
    environment_["CUDA_HOME"] = root_;
    add_file("lib64/libnvrtc.so.13");
    EXPECT_THAT(candidates(), ElementsAre("/nowhere/libnvrtc.so.13"));
}

TEST_F(NvrtcSearch, AFolderThatIsGivenComesBeforeTheLoader) {
    environment_["REDTUNE_CUDA_LIB"] = root_;
    const std::string older = add_file("libnvrtc.so.12");
    const std::string newer = add_file("libnvrtc.so.13");
    EXPECT_EQ(position(newer), 0U);
    EXPECT_EQ(position(older), 1U);
    EXPECT_EQ(position("libnvrtc.so.13"), 2U);
    EXPECT_EQ(position("libnvrtc.so.12"), 3U);
}

TEST_F(NvrtcSearch, AFolderWithoutNvrtcIsPassedOver) {
    environment_["REDTUNE_CUDA_LIB"] = root_;
    EXPECT_EQ(position("libnvrtc.so.13"), 0U);
}

TEST_F(NvrtcSearch, ToolkitsFollowInTheirOrder) {
    environment_["CUDA_PATH"] = root_ / "path";
    environment_["CUDA_HOME"] = root_ / "home";
    const std::string path = add_file("path/lib64/libnvrtc.so.12");
    const std::string home = add_file("home/lib64/libnvrtc.so.12");
    EXPECT_LT(position("libnvrtc.so.12"), position(home));
    EXPECT_LT(position(home), position(path));
    EXPECT_THAT(candidates(), Contains(path));
}

TEST_F(NvrtcSearch, TheProgramsOwnLibFolderIsSearched) {
    add_file("bin/redtune");
    add_file("lib/libnvrtc.so.13");
    EXPECT_THAT(candidates(root_ / "bin"), Contains((root_ / "bin/../lib/libnvrtc.so.13").string()));
}

TEST_F(NvrtcSearch, WheelsOfTheFirstPythonAreFound) {
    const std::string newer = add_file("venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    const std::string older = add_file("venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    add_file("other/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    add_file("venv/bin/python3");
    add_file("other/bin/python3");
    environment_["PATH"] = "/nowhere::" + (root_ / "venv/bin").string() + ":" + (root_ / "other/bin").string();
    EXPECT_THAT(candidates(), Contains(newer));
    EXPECT_THAT(candidates(), Contains(older));
    EXPECT_TRUE(std::ranges::none_of(
        candidates(), [](const std::string& candidate) { return candidate.find("/other/") != std::string::npos; }));
}

TEST_F(NvrtcSearch, BuiltinsAreThoseBesideTheLibrary) {
    const std::string nvrtc = add_file("libnvrtc.so.13");
    const std::string builtins = add_file("libnvrtc-builtins.so.13.0");
    add_file("libnvrtc-builtins.alt.so.13.0");
    EXPECT_THAT(builtins_beside(nvrtc), ElementsAre(builtins));
    EXPECT_THAT(builtins_beside("/nowhere/libnvrtc.so.13"), IsEmpty());
}

}  // namespace
}  // namespace redtune::gpu
