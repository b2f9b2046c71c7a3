#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "db/connection.h"
#include "db/inspection.h"
#include "db/store.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {

inline constexpr std::uint64_t mi16 = 16 << 20;

/// A test with an empty database to write to.
class StoreWriteTest : public testing::Test {
  protected:
    /// Begins a sweep and returns its id.
    std::int64_t begin_sweep(const std::string& source = "gpu") {
        return store_.begin_sweep(h200(), problem_, toolchain(), source, "redtune tune --op sum");
    }
    std::int64_t record(std::int64_t sweep, const Candidate& candidate, const Measurement& measurement,
                        std::uint64_t n = mi16, Regime regime = Regime::cold) {
        return store_.record(sweep, candidate, "hash", n, regime, make_plan(candidate.rule, n), measurement);
    }
    /// Sets a winner that refers to a measurement of another size.
    void set_wrong_winner(std::uint64_t n, Regime regime, Determinism determinism) {
        const std::int64_t elsewhere = record(begin_sweep(), candidate(), measurement(1), std::uint64_t{1} << 50);
        Connection::open(file_, OpenMode::create)
            .execute(fmt::format(
                "INSERT INTO winner (device_id, problem_id, regime_id, n, determinism, measurement_id, decided_by, "
                "runner_up_ratio) SELECT device_id, problem_id, (SELECT id FROM regime WHERE name = '{}'),"
                " {}, '{}', {}, 'wrong', NULL FROM sweep ORDER BY id DESC LIMIT 1",
                to_string(regime), n, to_string(determinism), elsewhere));
    }
    std::int64_t count(const std::string& table) { return store_.connection().value("SELECT count(*) FROM " + table); }
    /// Expects that all checks of the database succeed.
    void expect_sound() {
        for (const Finding& finding : check(store_)) EXPECT_TRUE(finding.sound) << finding.check << finding.detail;
    }

    TemporaryFolder folder_;
    std::filesystem::path file_ = folder_ / "a.db";
    Store store_ = Store::open(file_, Access::read_write);
    Problem problem_;
};

}  // namespace redtune::db
