#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::jit {

/// A cache of blobs by key, in a folder that any number of processes and threads may use at once. An entry that is
/// missing, damaged or not written by redtune is a miss, and a folder that cannot be used turns the cache off. I/O
/// failures do not throw; warning() describes them.
class CubinCache {
  public:
    /// Creates the folder, accessible to its owner only. When it grows beyond `cap_bytes`, the least recently used
    /// entries are removed.
    CubinCache(std::filesystem::path folder, std::uint64_t cap_bytes);
    CubinCache(const CubinCache&) = delete;
    CubinCache& operator=(const CubinCache&) = delete;

    /// Returns $REDTUNE_CACHE, else $XDG_CACHE_HOME/redtune, else ~/.cache/redtune; empty if HOME is not set either.
    static std::filesystem::path default_folder();
    /// Returns $REDTUNE_CACHE_MAX_MIB in bytes, else 512 MiB.
    /// @throws InputError if the variable is not a whole number.
    static std::uint64_t default_cap_bytes();

    const std::filesystem::path& folder() const noexcept { return folder_; }
    /// Returns the entry stored under this key. The whole key is compared, so a hash collision is a miss. A hit counts
    /// as a use.
    std::optional<std::string> get(std::string_view key) const;
    /// Stores an entry, replacing one with the same key. An entry larger than the cap is not stored.
    void put(std::string_view key, std::string_view blob);

    /// Returns why the cache is off or takes no more entries, and a remedy; empty if it works.
    std::string warning() const;

  private:
    std::filesystem::path entry_path(std::string_view key) const;
    void warn(std::string text);
    void make_room();

    std::filesystem::path folder_;
    std::uint64_t cap_bytes_;
    bool is_readable_ = false;
    mutable std::mutex mutex_;
    bool is_writable_ = false;       // guarded by mutex_, as are the members below
    std::uint64_t total_bytes_ = 0;  // the folder's size when last counted, plus what this process has stored since
    std::uint64_t bytes_until_count_ = 0;
    std::string warning_;
};

}  // namespace redtune::jit
