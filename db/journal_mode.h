#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace redtune::db {

/// wal: readers and one writer at the same time; needs shared memory between all of them.
/// rollback: works wherever locks do.
enum class JournalMode : std::uint8_t { wal, rollback };

/// As SQLite names it: "wal", "delete".
std::string_view to_string(JournalMode mode) noexcept;

/// What suits a kind of file system, by statfs's number: wal on those known to be local, rollback on network,
/// user-space and unknown ones.
JournalMode journal_mode_for(std::uint32_t file_system) noexcept;

/// What suits the file system that holds the file, or will: the nearest folder that exists decides.
JournalMode journal_mode_for(const std::filesystem::path& file) noexcept;

}  // namespace redtune::db
