#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "db/store.h"
#include "redtune/catalog.h"
#include "tests/support/database_fixture.h"
#include "tuner/core/well_known_devices.h"

namespace redtune {

/// Returns a well-known device.
inline DeviceInfo known(std::string_view name) {
    return find_well_known_device(name).value();
}

/// A catalog whose only results are those that a test adds.
class SelectorTest : public testing::Test {
  protected:
    void tune(const DeviceInfo& device, const Problem& problem, std::uint64_t n, const Candidate& candidate,
              Regime regime = Regime::cold, double time_us = 2) {
        db::Store store = db::Store::open(options_.user_database.value(), db::Access::read_write);
        db::add_winner(store, device, problem, n, regime, candidate, time_us);
    }
    Catalog open() const { return Catalog::open(options_); }

    db::TemporaryFolder folder_;
    CatalogOptions options_{folder_ / "user.db", folder_ / "none"};
    Problem sum_ = make_problem("sum", Type::f32);
    DeviceInfo h200_ = db::h200();
};

}  // namespace redtune
