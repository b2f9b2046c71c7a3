#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace redtune::db {

/// SQLite's journal mode. wal: many readers and one writer work at the same time, all on one host, because the
/// processes share memory. rollback: works on every file system with locks.
enum class JournalMode : std::uint8_t { wal, rollback };

/// Returns SQLite's name for the mode: "wal" or "delete".
std::string_view journal_mode_name(JournalMode mode) noexcept;

/// Returns the mode for a type of file system, the f_type of statfs(): wal for types that are known to be local,
/// rollback for network, user-space and unknown types.
JournalMode journal_mode_for(std::uint32_t file_system) noexcept;

/// Returns the mode for the file system that holds the file. If the file does not exist, the nearest existing parent
/// folder decides.
JournalMode journal_mode_for(const std::filesystem::path& file) noexcept;

}  // namespace redtune::db
