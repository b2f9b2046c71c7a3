#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/jit/cache_entry.h"

namespace redtune::jit {

/// Returns the file in which a folder stores the entry with this key.
std::filesystem::path entry_path(const std::filesystem::path& folder, std::string_view key);

/// A file of a folder of entries.
struct EntryFile {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type used;  ///< last use in the user's cache; time of writing in other folders
};

/// Returns the entries' files of a folder, least recently used first; none if the folder cannot be read. Files that are
/// named like no entry are left out.
std::vector<EntryFile> list_entries(const std::filesystem::path& folder);

/// An entry's file as it was found.
struct InspectedEntry {
    std::optional<CacheEntry> entry;
    std::string problem;  ///< why the entry is not used, as a phrase; empty: it is sound
};

/// Reads the file of an entry, and does not count that as a use.
InspectedEntry inspect_entry(const std::filesystem::path& file);

/// Reads the entries of a folder. Machine code is executed, so the folder and each entry must belong to this user or to
/// root, and no one else may write to them. Thread-safe.
class EntryFolder {
  public:
    enum class Touch : std::uint8_t { never, at_use };

    /// `touch` says whether the use of an entry sets the modification time of its file. An empty or missing folder has
    /// no entries.
    EntryFolder(std::filesystem::path folder, Touch touch);
    EntryFolder(const EntryFolder&) = delete;
    EntryFolder& operator=(const EntryFolder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    /// Returns the entry stored under this key. The whole key is compared, so a hash collision is a miss, and so is a
    /// damaged entry.
    std::optional<std::string> get(std::string_view key) const;
    /// Returns why the folder or, if the folder is used, an entry was not used, and a remedy; empty if all were.
    std::string warning() const;

  private:
    std::filesystem::path path_;
    Touch touch_;
    bool is_used_ = false;
    mutable std::mutex mutex_;
    mutable std::string warning_;  // guarded by mutex_
};

}  // namespace redtune::jit
