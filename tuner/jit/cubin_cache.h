#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "tuner/jit/cache_file.h"
#include "tuner/jit/entry_folder.h"

namespace redtune::jit {

/// A cache of blobs by key, in two layers: the user's folder, which any number of processes and threads may use at
/// once, and below it a folder of the system, which is only read. An entry that is missing, damaged, or not trusted
/// (see EntryFolder) is a miss, and a folder that cannot be used has no entries. I/O failures do not throw; warning()
/// describes them. Thread-safe.
class CubinCache {
  public:
    /// Creates the user's folder. When it grows beyond `cap_bytes`, the least recently used entries are removed.
    /// @param system_folder the system's folder; empty: there is none
    /// @param readers who may read a folder that is created and the entries that are put
    CubinCache(std::filesystem::path folder, std::uint64_t cap_bytes, std::filesystem::path system_folder = {},
               Readers readers = Readers::owner);
    CubinCache(const CubinCache&) = delete;
    CubinCache& operator=(const CubinCache&) = delete;

    /// Returns the cache of default_folder() and default_system_folder(), with the cap default_cap_bytes().
    /// @throws InputError as default_cap_bytes() does.
    static CubinCache open_default();
    /// Returns $REDTUNE_CACHE, else $XDG_CACHE_HOME/redtune, else ~/.cache/redtune; empty if HOME is not set either.
    static std::filesystem::path default_folder();
    /// Returns $REDTUNE_SYSTEM_CACHE, else the folder cubins in the folder of the shipped data.
    static std::filesystem::path default_system_folder();
    /// Returns $REDTUNE_CACHE_MAX_MIB in bytes, else 512 MiB.
    /// @throws InputError if the variable is not a whole number.
    static std::uint64_t default_cap_bytes();

    /// Returns the user's folder.
    const std::filesystem::path& folder() const noexcept { return user_.path(); }
    /// Returns the system's folder; empty if there is none.
    const std::filesystem::path& system_folder() const noexcept { return system_.path(); }

    /// Returns the entry stored under this key, from the first layer that has it. A hit counts as a use.
    std::optional<std::string> get(std::string_view key) const;
    /// Calls `accept` with the entry of each layer that has one, the user's first, until `accept` returns true. Returns
    /// whether it did.
    bool find(std::string_view key, const std::function<bool(const std::string& blob)>& accept) const;
    /// Stores an entry in the user's folder, replacing one with the same key. An entry larger than the cap is not
    /// stored.
    void put(std::string_view key, std::string_view blob);

    /// Returns whether put() stores entries: the user's folder can be used, and no write has failed.
    bool is_writable() const;
    /// Returns the size to which the user's folder may grow.
    std::uint64_t cap_bytes() const noexcept { return cap_bytes_; }

    /// Returns why a layer is off, why an entry was not used, or why no more entries are stored, and a remedy; empty if
    /// all works.
    std::string warning() const;

  private:
    void make_room();

    std::uint64_t cap_bytes_;
    Readers readers_;
    std::string folder_problem_;  // why the user's folder cannot be used
    EntryFolder user_;            // after folder_problem_, which prepares the folder
    EntryFolder system_;
    mutable std::mutex mutex_;
    bool is_writable_ = false;       // guarded by mutex_, as are the members below
    std::uint64_t total_bytes_ = 0;  // the folder's size when last counted, plus what this process has stored since
    std::uint64_t bytes_until_count_ = 0;
    std::string write_warning_;
};

}  // namespace redtune::jit
