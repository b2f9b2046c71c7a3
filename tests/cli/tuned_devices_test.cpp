#include "tuner/cli/tuned_devices.h"

#include <gmock/gmock.h>

#include "tests/support/database_fixture.h"

namespace redtune::cli {
namespace {

using testing::ElementsAre;

TEST(TunedDevices, ThoseOfTheArchitectureElseAll) {
    const db::TemporaryFolder folder;
    const db::ScopedVariable no_data("REDTUNE_SYSTEM_DATA", (folder / "none").string());
    {
        db::Store store = db::Store::open(folder / "user.db", db::Access::read_write);
        DeviceInfo other = db::h200();
        other.name = "NVIDIA A100";
        other.compute_major = 8;
        for (const DeviceInfo& device : {db::h200(), other}) {
            db::add_winner(store, device, {}, 1 << 20, Regime::cold, db::candidate(), 10);
        }
    }
    const TunedDevices tuned(folder / "user.db");
    EXPECT_THAT(tuned.devices_for(90), ElementsAre("NVIDIA H200"));
    EXPECT_THAT(tuned.devices_for(80), ElementsAre("NVIDIA A100"));
    EXPECT_THAT(tuned.devices_for(86), ElementsAre("NVIDIA A100", "NVIDIA H200"));
    EXPECT_THAT(TunedDevices(folder / "none.db").devices_for(90), testing::IsEmpty());
}

}  // namespace
}  // namespace redtune::cli
