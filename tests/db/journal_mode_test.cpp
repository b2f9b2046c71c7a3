#include "db/journal_mode.h"

#include <gtest/gtest.h>
#include <linux/magic.h>

#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

TEST(JournalMode, IsWalOnLocalFileSystemsOnly) {
    for (const std::uint32_t local : {0xef53U, 0x58465342U, 0x9123683eU, 0x01021994U, 0x794c7630U, 0x2fc12fc1U}) {
        EXPECT_EQ(journal_mode_for(local), JournalMode::wal) << std::hex << local;
    }
    // The magic numbers of NFS, CIFS, SMB2, FUSE, Lustre, GPFS, 9p, Ceph, AFS and BeeGFS, and an unknown number.
    for (const std::uint32_t shared : {0x6969U, 0xff534d42U, 0xfe534d42U, 0x65735546U, 0x0bd00bd0U, 0x47504653U,
                                       0x01021997U, 0x00c36400U, 0x5346414fU, 0x19830326U, 0x12345678U}) {
        EXPECT_EQ(journal_mode_for(shared), JournalMode::rollback) << std::hex << shared;
    }
}

TEST(JournalMode, OfAMissingFileIsThatOfItsFolder) {
    const TemporaryFolder folder;
    const JournalMode here = journal_mode_for(folder.path());
    EXPECT_EQ(journal_mode_for(folder / "no/such/folder/a.db"), here);
    EXPECT_EQ(journal_mode_for(std::filesystem::path("/proc/none/a.db")), JournalMode::rollback);
}

TEST(JournalMode, HasTheNamesOfSqlite) {
    EXPECT_EQ(journal_mode_name(JournalMode::wal), "wal");
    EXPECT_EQ(journal_mode_name(JournalMode::rollback), "delete");
}

}  // namespace
}  // namespace redtune::db
