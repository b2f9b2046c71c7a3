#include "tuner/jit/cubin_cache.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

#include "redtune/error.h"
#include "tests/jit/cubin_cache_fixture.h"
#include "tests/support/database_fixture.h"

namespace redtune::jit {
namespace {

namespace fs = std::filesystem;
using db::ScopedVariable;
using testing::AllOf;
using testing::HasSubstr;

TEST_F(CubinCacheTest, GivesBackWhatWasPut) {
    const std::string blob(
        "cubin\0with\xff"
        "all bytes",
        20);
    CubinCache cache(folder_, plenty);
    EXPECT_EQ(cache.get("key"), std::nullopt);
    cache.put("key", blob);
    cache.put("empty", "");
    EXPECT_EQ(cache.get("key"), blob);
    EXPECT_EQ(cache.get("empty"), "");
    EXPECT_EQ(cache.get("other"), std::nullopt);
    EXPECT_EQ(cache.warning(), "");
}

TEST_F(CubinCacheTest, AnotherCacheOfTheFolderSeesIt) {
    CubinCache(folder_, plenty).put("key", "blob");
    EXPECT_EQ(CubinCache(folder_, plenty).get("key"), "blob");
}

TEST_F(CubinCacheTest, ALaterPutReplacesAnEarlierOne) {
    CubinCache cache(folder_, plenty);
    cache.put("key", "old");
    cache.put("key", "new");
    EXPECT_EQ(cache.get("key"), "new");
    EXPECT_EQ(file_count(), 1U);
}

TEST_F(CubinCacheTest, ADamagedEntryIsAMissAndCanBePutAgain) {
    CubinCache cache(folder_, plenty);
    cache.put("key", "blob");
    const std::string whole = read(file_of("key"));
    std::string flipped = whole;
    flipped[whole.size() - 10] ^= 1;
    for (const std::string& damaged : {std::string(), whole.substr(0, 4), whole.substr(0, whole.size() - 1), flipped,
                                       whole + "tail", std::string("not an entry of the cache")}) {
        write(file_of("key"), damaged);
        EXPECT_EQ(cache.get("key"), std::nullopt) << damaged.size() << " bytes";
    }
    cache.put("key", "again");
    EXPECT_EQ(cache.get("key"), "again");
    EXPECT_EQ(cache.warning(), "");
}

// Imitates a hash collision: the file of a key holds the entry of another key.
TEST_F(CubinCacheTest, AnEntryOfAnotherKeyUnderTheSameNameIsAMiss) {
    CubinCache cache(folder_, plenty);
    cache.put("other", "blob");
    fs::rename(file_of("other"), file_of("key"));
    EXPECT_EQ(cache.get("key"), std::nullopt);
}

TEST_F(CubinCacheTest, AnythingButARegularFileIsAMiss) {
    CubinCache cache(folder_, plenty);
    cache.put("target", "blob");
    fs::create_symlink(file_of("target"), file_of("link"));
    fs::create_directory(file_of("folder"));
    ASSERT_EQ(::mkfifo(file_of("pipe").c_str(), S_IRWXU), 0);
    for (const char* key : {"link", "folder", "pipe"}) EXPECT_EQ(cache.get(key), std::nullopt) << key;
}

TEST_F(CubinCacheTest, TheFolderIsForItsOwnerAlone) {
    // The second path ends with a slash, so its parent_path() is the folder itself.
    for (const fs::path& folder : {folder_, root_ / "slash" / ""}) {
        const CubinCache cache(folder, plenty);
        EXPECT_EQ(cache.warning(), "");
        EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all) << folder;
    }
}

TEST_F(CubinCacheTest, AFolderThatEveryoneCanWriteIsNotTrusted) {
    CubinCache(folder_, plenty).put("key", "blob");
    fs::permissions(folder_, fs::perms::all);
    CubinCache cache(folder_, plenty);
    EXPECT_EQ(cache.get("key"), std::nullopt);
    cache.put("key", "blob");
    EXPECT_THAT(cache.warning(), HasSubstr("other users may write to it"));
    EXPECT_THAT(cache.warning(), HasSubstr("REDTUNE_CACHE"));
}

TEST_F(CubinCacheTest, AFolderOfAnotherUserIsNotTrusted) {
    fs::create_directories(folder_);
    if (::chown(folder_.c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root can give a folder away";
    CubinCache cache(folder_, plenty);
    cache.put("key", "blob");
    EXPECT_EQ(cache.get("key"), std::nullopt);
    EXPECT_THAT(cache.warning(), HasSubstr("it belongs to another user"));
    EXPECT_EQ(file_count(), 0U);
}

TEST_F(CubinCacheTest, AnEntryOfAnotherUserIsAMiss) {
    CubinCache cache(folder_, plenty);
    cache.put("key", "blob");
    if (::chown(file_of("key").c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root can give a file away";
    EXPECT_EQ(cache.get("key"), std::nullopt);
    EXPECT_THAT(cache.warning(), AllOf(HasSubstr(file_of("key").string()), HasSubstr("it belongs to another user")));
}

TEST_F(CubinCacheTest, AnEntryThatOthersMayWriteIsAMiss) {
    CubinCache cache(folder_, plenty);
    cache.put("key", "blob");
    EXPECT_EQ(cache.get("key"), "blob");
    fs::permissions(file_of("key"), fs::perms::others_write, fs::perm_options::add);
    EXPECT_EQ(cache.get("key"), std::nullopt);
    EXPECT_THAT(cache.warning(), AllOf(HasSubstr("other users may write to it"), HasSubstr("chmod go-w")));
}

TEST_F(CubinCacheTest, OnlyAPrivateGroupMayWrite) {
    CubinCache cache(folder_, plenty);
    cache.put("key", "blob");
    fs::permissions(file_of("key"), fs::perms::group_write, fs::perm_options::add);
    if (::chown(file_of("key").c_str(), ::geteuid(), ::geteuid()) != 0) GTEST_SKIP() << "only root can choose a group";
    EXPECT_EQ(cache.get("key"), "blob") << "the group has the number of the user";
    if (::chown(file_of("key").c_str(), ::geteuid(), 12345) != 0) GTEST_SKIP() << "only root can choose a group";
    EXPECT_EQ(cache.get("key"), std::nullopt);
    EXPECT_THAT(cache.warning(), HasSubstr("other users may write to it"));
}

TEST_F(CubinCacheTest, AnotherUserReadsWhatRootHasWritten) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
    CubinCache(folder_, plenty, {}, Readers::everyone).put("key", "blob");
    for (fs::path folder = folder_.parent_path(); folder != root_.parent_path(); folder = folder.parent_path()) {
        fs::permissions(folder, fs::perms::others_read | fs::perms::others_exec, fs::perm_options::add);
    }
    const int child = db::start_process([&] {
        if (::setgid(12345) != 0 || ::setuid(12345) != 0) throw std::runtime_error("this user cannot be changed");
        CubinCache cache(folder_, plenty);
        if (cache.get("key") != "blob" || !cache.warning().empty()) throw std::runtime_error(cache.warning());
        cache.put("other", "blob");
        if (cache.warning().empty()) throw std::runtime_error("a root's folder was written to");
    });
    EXPECT_TRUE(db::succeeded(child));
    EXPECT_EQ(file_count(), 1U);
}

TEST_F(CubinCacheTest, EveryoneCanReadWhatIsForEveryone) {
    const ::mode_t before = ::umask(0077);
    CubinCache(folder_, plenty, {}, Readers::everyone).put("key", "blob");
    ::umask(before);
    EXPECT_EQ(static_cast<int>(fs::status(folder_).permissions()), 0755);
    EXPECT_EQ(static_cast<int>(fs::status(file_of("key")).permissions()), 0644);
    EXPECT_EQ(CubinCache(folder_, plenty).get("key"), "blob");
}

TEST_F(CubinCacheTest, AFolderThatCannotBeMadeTurnsItOff) {
    write(root_ / "file", "");
    for (const fs::path& folder : {root_ / "file", root_ / "file" / "cache", fs::path()}) {
        CubinCache cache(folder, plenty);
        cache.put("key", "blob");
        EXPECT_EQ(cache.get("key"), std::nullopt);
        EXPECT_THAT(cache.warning(), HasSubstr("the kernel cache is off")) << folder;
    }
}

TEST_F(CubinCacheTest, AFailedWriteWarnsAndKeepsReading) {
    CubinCache cache(folder_, plenty);
    cache.put("key", "blob");
    // rename() fails if the target is a folder that is not empty.
    fs::create_directories(file_of("blocked") / "inside");
    cache.put("blocked", "blob");
    EXPECT_THAT(cache.warning(), HasSubstr("takes no more entries"));
    cache.put("later", "blob");
    EXPECT_EQ(cache.get("later"), std::nullopt);
    EXPECT_EQ(cache.get("key"), "blob");
    EXPECT_EQ(file_count(), 2U) << "a part of the failed write is left behind";
}

TEST_F(CubinCacheTest, TheLeastRecentlyUsedEntriesGoFirst) {
    const std::string blob(1000, 'x');
    CubinCache cache(folder_, 10'500);
    const std::vector<std::string> keys = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    for (const std::string& key : keys) cache.put(key, blob);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        set_age(file_of(keys[i]), std::chrono::minutes(100 - static_cast<int>(i)));
    }
    EXPECT_EQ(cache.get("0"), blob);  // counts as a use, so "1" is now the oldest entry
    cache.put("new", blob);
    // Eleven entries of more than 1000 bytes exceed the cap. Eviction shrinks the folder to nine tenths of the cap,
    // which are nine entries.
    for (const char* key : {"1", "2"}) EXPECT_EQ(cache.get(key), std::nullopt) << key;
    for (const char* key : {"0", "3", "4", "5", "6", "7", "8", "9", "new"}) EXPECT_EQ(cache.get(key), blob) << key;
}

TEST_F(CubinCacheTest, WhatOtherProcessesPutCountsToo) {
    const std::string blob(1000, 'x');
    CubinCache first(folder_, 5'500);
    CubinCache second(folder_, 5'500);
    for (int i = 0; i < 5; ++i) first.put("first" + std::to_string(i), blob);
    for (int i = 0; i < 5; ++i) second.put("second" + std::to_string(i), blob);
    EXPECT_LE(file_count(), 5U);
    EXPECT_EQ(second.get("second4"), blob);
}

TEST_F(CubinCacheTest, AnEntryLargerThanTheCapIsNotKept) {
    CubinCache cache(folder_, 100);
    cache.put("small", "x");
    cache.put("large", std::string(1000, 'x'));
    EXPECT_EQ(cache.get("large"), std::nullopt);
    EXPECT_EQ(cache.get("small"), "x");
    EXPECT_EQ(cache.warning(), "");
}

TEST_F(CubinCacheTest, WhatADeadWriterLeftIsRemoved) {
    CubinCache cache(folder_, plenty);
    write(folder_ / ".part-dead00", "half an entry");
    set_age(folder_ / ".part-dead00", std::chrono::hours(2));
    write(folder_ / ".part-alive0", "half an entry");
    write(folder_ / "someone's file", "text");
    set_age(folder_ / "someone's file", std::chrono::hours(2));
    cache.put("key", "blob");
    EXPECT_FALSE(fs::exists(folder_ / ".part-dead00"));
    EXPECT_TRUE(fs::exists(folder_ / ".part-alive0"));
    EXPECT_TRUE(fs::exists(folder_ / "someone's file"));
}

/// Returns a blob that identifies its writer, so that a mixture of two writers' bytes is detected.
std::string large_blob(char writer) {
    return std::string(100'000, writer);
}

void put_and_get(const fs::path& folder, char writer, int rounds, bool& is_whole) {
    CubinCache cache(folder, plenty);
    for (int round = 0; round < rounds; ++round) {
        cache.put("shared", large_blob(writer));
        const auto seen = cache.get("shared");
        if (!seen || *seen != large_blob(seen->front())) is_whole = false;
    }
}

TEST_F(CubinCacheTest, ThreadsAndProcessesNeverSeeAHalfWrittenEntry) {
    std::vector<pid_t> children;
    for (const char writer : {'a', 'b'}) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            bool is_whole = true;
            put_and_get(folder_, writer, 30, is_whole);
            ::_exit(is_whole ? 0 : 1);
        }
        children.push_back(child);
    }
    bool first_is_whole = true;
    bool second_is_whole = true;
    {
        const std::jthread first(put_and_get, folder_, 'c', 30, std::ref(first_is_whole));
        const std::jthread second(put_and_get, folder_, 'd', 30, std::ref(second_is_whole));
    }
    EXPECT_TRUE(first_is_whole);
    EXPECT_TRUE(second_is_whole);
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    EXPECT_EQ(file_count(), 1U);
}

TEST_F(CubinCacheTest, OneCacheServesManyThreads) {
    const std::string blob(1000, 'x');
    CubinCache cache(folder_, 20'000);
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&, thread] {
                for (int i = 0; i < 25; ++i) {
                    const std::string key = std::to_string(thread * 100 + i);
                    cache.put(key, blob);
                    cache.get(key);
                }
            });
        }
    }
    EXPECT_EQ(cache.warning(), "");
    cache.put("last", blob);
    EXPECT_EQ(cache.get("last"), blob);
    EXPECT_LE(file_count(), 20U);
}

TEST_F(CubinCacheTest, DefaultSystemFolderFollowsTheEnvironment) {
    const ScopedVariable data("REDTUNE_SYSTEM_DATA", "/data");
    const ScopedVariable none("REDTUNE_SYSTEM_CACHE", nullptr);
    EXPECT_EQ(CubinCache::default_system_folder(), "/data/cubins");
    const ScopedVariable given("REDTUNE_SYSTEM_CACHE", "/given");
    EXPECT_EQ(CubinCache::default_system_folder(), "/given");
}

TEST_F(CubinCacheTest, DefaultFolderFollowsTheEnvironment) {
    const ScopedVariable home("HOME", "/home/someone");
    const ScopedVariable cache("XDG_CACHE_HOME", "/xdg");
    const ScopedVariable own("REDTUNE_CACHE", "/own");
    EXPECT_EQ(CubinCache::default_folder(), "/own");
    ::setenv("REDTUNE_CACHE", "", 1);
    EXPECT_EQ(CubinCache::default_folder(), "/xdg/redtune");
    ::unsetenv("XDG_CACHE_HOME");
    EXPECT_EQ(CubinCache::default_folder(), "/home/someone/.cache/redtune");
    ::unsetenv("HOME");
    EXPECT_EQ(CubinCache::default_folder(), "");
}

TEST_F(CubinCacheTest, DefaultCapIsAWholeNumberOfMiB) {
    const ScopedVariable cap("REDTUNE_CACHE_MAX_MIB", nullptr);
    EXPECT_EQ(CubinCache::default_cap_bytes(), std::uint64_t{512} << 20);
    ::setenv("REDTUNE_CACHE_MAX_MIB", "0", 1);
    EXPECT_EQ(CubinCache::default_cap_bytes(), 0U);
    ::setenv("REDTUNE_CACHE_MAX_MIB", "2048", 1);
    EXPECT_EQ(CubinCache::default_cap_bytes(), std::uint64_t{2048} << 20);
    for (const char* wrong : {"x", "1G", "-1", "1.5", " 1", "99999999999999999999", "17592186044416"}) {
        ::setenv("REDTUNE_CACHE_MAX_MIB", wrong, 1);
        EXPECT_THROW(CubinCache::default_cap_bytes(), InputError) << wrong;
    }
}

}  // namespace
}  // namespace redtune::jit
