#include "db/journal_mode.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "tuner/core/named.h"

namespace redtune::db {

namespace {

// The names that SQLite gives to the journal modes.
constexpr std::array journal_modes = {Named<JournalMode>{"wal", JournalMode::wal},
                                      Named<JournalMode>{"delete", JournalMode::rollback}};

// Magic numbers of file systems that linux/magic.h does not define.
constexpr std::uint32_t zfs = 0x2fc12fc1;
constexpr std::uint32_t bcachefs = 0xca451a4e;
constexpr std::uint32_t xfs = 0x58465342;

// File systems that are known to be local. All processes that use a write-ahead log must share memory, so a log loses
// data on a file system that several hosts share.
constexpr std::array<std::uint32_t, 9> local = {
    EXT4_SUPER_MAGIC, xfs, BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,     TMPFS_MAGIC,
    RAMFS_MAGIC,      zfs, bcachefs,          OVERLAYFS_SUPER_MAGIC};

}  // namespace

std::string_view journal_mode_name(JournalMode mode) noexcept {
    return name_of(journal_modes, mode);
}

JournalMode journal_mode_for(std::uint32_t file_system) noexcept {
    return std::find(local.begin(), local.end(), file_system) != local.end() ? JournalMode::wal : JournalMode::rollback;
}

JournalMode journal_mode_for(const std::filesystem::path& file) noexcept {
    std::error_code unknown;
    std::filesystem::path existing = std::filesystem::absolute(file, unknown);
    struct statfs status {};
    while (statfs(existing.c_str(), &status) != 0) {
        if (!existing.has_relative_path()) return JournalMode::rollback;
        existing = existing.parent_path();
    }
    return journal_mode_for(static_cast<std::uint32_t>(status.f_type));
}

}  // namespace redtune::db
