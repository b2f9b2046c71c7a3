#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::jit {

/// A folder of blobs by key, shared by any number of processes and threads. It only saves time: an entry that is
/// missing, damaged or foreign is a miss, and a folder that cannot be used turns the cache off. Nothing here throws
/// for what a disk can do; warning() tells it.
class CubinCache {
  public:
    /// Makes the folder, for its owner alone. Above `cap_bytes` the least recently used entries go.
    CubinCache(std::filesystem::path folder, std::uint64_t cap_bytes);
    CubinCache(const CubinCache&) = delete;
    CubinCache& operator=(const CubinCache&) = delete;

    /// $REDTUNE_CACHE, else $XDG_CACHE_HOME/redtune, else ~/.cache/redtune; empty where there is no home either.
    static std::filesystem::path default_folder();
    /// $REDTUNE_CACHE_MAX_MIB, else 512 MiB.
    /// @throws InputError where the variable is no whole number.
    static std::uint64_t default_cap_bytes();

    const std::filesystem::path& folder() const noexcept { return folder_; }
    /// What was put under exactly this key, whatever it has in common with others. A hit counts as a use.
    std::optional<std::string> get(std::string_view key) const;
    /// Replaces what was there. An entry larger than the cap is not kept.
    void put(std::string_view key, std::string_view blob);

    /// Why the cache is off or takes no more entries, and what to do; empty where all is well.
    std::string warning() const;

  private:
    std::filesystem::path entry_path(std::string_view key) const;
    void warn(std::string text);
    void make_room();

    std::filesystem::path folder_;
    std::uint64_t cap_bytes_;
    bool is_readable_ = false;
    mutable std::mutex mutex_;
    bool is_writable_ = false;       // guarded by the mutex, as all below
    std::uint64_t total_bytes_ = 0;  // when it was last counted, and what this process put since
    std::uint64_t bytes_until_count_ = 0;
    std::string warning_;
};

}  // namespace redtune::jit
