#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/connection.h"
#include "db/inspection.h"
#include "db/location.h"
#include "db/migration.h"
#include "db/store.h"
#include "tests/support/source_path.h"

namespace redtune::db {
namespace {

std::vector<std::filesystem::path> shipped_files() {
    std::vector<std::filesystem::path> files = winners_files(test::shipped_data());
    for (const Recording& recording : recordings_in(test::shipped_data())) files.push_back(recording.file);
    return files;
}

TEST(ShippedData, HasWinnersAndARecordingOfEachDevice) {
    EXPECT_EQ(shipped_files().size(), 2U);
    EXPECT_EQ(recordings_in(test::shipped_data()).at(0).name, "nvidia-h200");
}

TEST(ShippedData, OpensAndIsSound) {
    for (const auto& file : shipped_files()) {
        const Store store = Store::open(file, Access::immutable);
        EXPECT_GT(store.winners().size(), 20U) << file;
        for (const Finding& finding : check(store))
            EXPECT_TRUE(finding.sound) << file << finding.check << finding.detail;
        EXPECT_EQ(store.connection().value("SELECT count(*) FROM winners WHERE shape IS NULL"), 0) << file;
    }
}

// A file of an older version would be copied and upgraded in memory each time it is opened.
TEST(ShippedData, HasTheLatestSchema) {
    for (const auto& file : shipped_files()) {
        const Connection connection = Connection::open(file, OpenMode::immutable);
        EXPECT_EQ(schema_version(connection), embedded_migrations().back().version)
            << file << ": run scripts/split-recording";
    }
}

TEST(ShippedData, ArchivesOfWinnersAreSmall) {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::source_path("db/data"))) {
        if (entry.path().filename().string().find(".winners.") != std::string::npos) {
            EXPECT_LE(entry.file_size(), 1U << 20) << entry.path();
            bytes += entry.file_size();
        }
    }
    EXPECT_GT(bytes, 0);
    EXPECT_LE(bytes, 2U << 20);
}

TEST(ShippedData, WinnersFilesKeepTheFinalMeasurementsWithoutSamples) {
    for (const auto& file : winners_files(test::shipped_data())) {
        const Connection connection = Connection::open(file, OpenMode::immutable);
        EXPECT_EQ(connection.value("SELECT count(*) FROM measurements WHERE stage <> 'final'"), 0);
        EXPECT_GT(connection.value("SELECT count(*) FROM measurement"),
                  connection.value("SELECT count(DISTINCT measurement_id) FROM winner"));
        EXPECT_EQ(connection.value("SELECT count(*) FROM measurements WHERE samples > 0"), 0);
    }
}

TEST(ShippedData, EveryCellOfTheRecordingHasScreenings) {
    for (const Recording& recording : recordings_in(test::shipped_data())) {
        const Connection connection = Connection::open(recording.file, OpenMode::immutable);
        EXPECT_EQ(connection.value("SELECT count(*) FROM (SELECT op, dtype, n, regime FROM measurements "
                                   "GROUP BY 1, 2, 3, 4 HAVING sum(stage = 'screen') < 10)"),
                  0)
            << "a cell without screenings cannot be replayed";
    }
}

}  // namespace
}  // namespace redtune::db
