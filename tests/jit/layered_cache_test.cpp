#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "tests/jit/cubin_cache_fixture.h"

namespace redtune::jit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A cache with a system folder that has the entry "key".
class LayeredCacheTest : public CubinCacheTest {
  protected:
    void SetUp() override {
        CubinCacheTest::SetUp();
        CubinCache(system_folder(), plenty).put("key", "of the system");
    }
    fs::path system_folder() const { return root_ / "system"; }
    fs::path system_file(std::string_view key) const { return entry_path(system_folder(), key); }
    CubinCache open() const { return CubinCache(folder_, plenty, system_folder()); }
};

TEST_F(LayeredCacheTest, TheUsersEntryComesBeforeTheSystems) {
    CubinCache cache = open();
    EXPECT_EQ(cache.get("key"), "of the system");
    cache.put("key", "of the user");
    EXPECT_EQ(cache.get("key"), "of the user");
    EXPECT_EQ(cache.get("other"), std::nullopt);
    EXPECT_EQ(cache.warning(), "");
}

TEST_F(LayeredCacheTest, AnEntryThatIsNotAcceptedIsSoughtInTheNextLayer) {
    CubinCache cache = open();
    cache.put("key", "of the user");
    std::vector<std::string> offered;
    const auto refuse = [&](const std::string& blob) {
        offered.push_back(blob);
        return false;
    };
    EXPECT_FALSE(cache.find("key", refuse));
    EXPECT_THAT(offered, testing::ElementsAre("of the user", "of the system"));
    EXPECT_TRUE(cache.find("key", [](const std::string& blob) { return blob == "of the system"; }));
    EXPECT_FALSE(cache.find("other", [](const std::string&) { return true; }));
}

TEST_F(LayeredCacheTest, TheSystemsFolderIsOnlyRead) {
    set_age(system_file("key"), std::chrono::hours(100));
    const fs::file_time_type before = fs::last_write_time(system_file("key"));
    CubinCache cache = open();
    EXPECT_EQ(cache.get("key"), "of the system");
    cache.put("new", "blob");
    EXPECT_EQ(fs::last_write_time(system_file("key")), before);
    EXPECT_EQ(list_entries(system_folder()).size(), 1U);
}

TEST_F(LayeredCacheTest, ADamagedEntryOfTheUserUncoversTheSystems) {
    CubinCache cache = open();
    cache.put("key", "of the user");
    write(file_of("key"), "damaged");
    EXPECT_EQ(cache.get("key"), "of the system");
}

TEST_F(LayeredCacheTest, ASystemFolderThatIsNotTrustedIsNotUsed) {
    fs::permissions(system_folder(), fs::perms::others_write, fs::perm_options::add);
    const CubinCache cache = open();
    EXPECT_EQ(cache.get("key"), std::nullopt);
    EXPECT_THAT(cache.warning(), AllOf(HasSubstr(system_folder().string()), HasSubstr("other users may write to it")));
}

TEST_F(LayeredCacheTest, ASystemFolderThatIsMissingIsNoReasonToWarn) {
    fs::remove_all(system_folder());
    const CubinCache cache = open();
    EXPECT_EQ(cache.get("key"), std::nullopt);
    EXPECT_EQ(cache.warning(), "");
    EXPECT_FALSE(fs::exists(system_folder()));
}

TEST_F(LayeredCacheTest, IsReadIfTheUsersFolderCannotBeMade) {
    write(root_ / "file", "");
    const CubinCache cache(root_ / "file" / "cache", plenty, system_folder());
    EXPECT_EQ(cache.get("key"), "of the system");
}

TEST_F(LayeredCacheTest, ManyThreadsReadBothLayers) {
    CubinCache cache = open();
    fs::permissions(system_file("key"), fs::perms::others_write, fs::perm_options::add);
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&, thread] {
                for (int i = 0; i < 25; ++i) {
                    cache.put(std::to_string(thread), "blob");
                    cache.get("key");
                    cache.warning();
                }
            });
        }
    }
    EXPECT_THAT(cache.warning(), HasSubstr("other users may write to it"));
}

}  // namespace
}  // namespace redtune::jit
