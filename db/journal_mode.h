#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace redtune::db {

/// wal: many readers and one writer work at the same time; they need shared memory with each other.
/// rollback: works on every file system with locks.
enum class JournalMode : std::uint8_t { wal, rollback };

/// Returns SQLite's name of the mode: "wal" or "delete".
std::string_view to_string(JournalMode mode) noexcept;

/// Returns the mode for a type of file system (the f_type of statfs): wal if the type is known to be local, rollback on
/// network, user-space and unknown types.
JournalMode journal_mode_for(std::uint32_t file_system) noexcept;

/// Returns the mode for the file system of the file; if there is no such file, of the nearest folder that exists.
JournalMode journal_mode_for(const std::filesystem::path& file) noexcept;

}  // namespace redtune::db
