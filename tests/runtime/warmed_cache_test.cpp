// Reducers on a device whose kernels `redtune warm` has compiled before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "tests/runtime/simulated_stream.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"

namespace redtune::runtime {
namespace {

/// A device of compute capability 8.0 that was not tuned and is not well known.
simulated_driver::DeviceModel unknown_ampere() {
    simulated_driver::DeviceModel model;
    model.name = "NVIDIA A100-SXM-64GB";
    model.compute_major = 8;
    model.sm_count = 124;
    model.memory_bytes = std::size_t{64} << 30;
    model.l2_bytes = 32 << 20;
    model.max_shared_bytes_per_block = 163 << 10;
    model.memory_bus_bits = 4096;
    model.memory_khz = 1593000;
    return model;
}

class WarmedCacheTest : public RuntimeTest {
  protected:
    /// Returns whether a kernel was compiled after the cache was warmed. Compiled kernels go to the user's cache.
    bool has_compiled() const {
        return std::filesystem::exists(folder_ / "user") && !std::filesystem::is_empty(folder_ / "user");
    }

    /// Returns a size from 2Mi to 16Mi.
    static std::uint64_t random_size(std::mt19937_64& random) {
        return static_cast<std::uint64_t>(std::exp2(std::uniform_real_distribution(21.0, 24.0)(random)));
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable database_{"REDTUNE_DB", "/nonexistent/redtune.db"};
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::shipped_data().c_str()};
    db::ScopedVariable user_cache_{"REDTUNE_CACHE", folder_ / "user"};
};

TEST_F(WarmedCacheTest, AReducerOnAnUnknownDeviceCompilesNothing) {
    const cli::Outcome warm =
        cli::run_command(cli::add_warm_command, {"warm", "--arch", "sm_80", "--op", "sum", "--dtype", "f32", "--shape",
                                                 "whole", "--size", "2Mi..16Mi", "--folder", folder_ / "warmed"});
    ASSERT_EQ(warm.exit_code, 0) << warm.err;
    simulated_driver::set_device_model(unknown_ampere());
    const db::ScopedVariable system_cache("REDTUNE_SYSTEM_CACHE", folder_ / "warmed");
    Reducer sum(sum_f32(), shipped_options());
    ASSERT_EQ(sum.configuration(1 << 20)->device, "NVIDIA A100-SXM-64GB");
    std::mt19937_64 random(1);
    for (int i = 0; i < 300; ++i) {
        const std::uint64_t n = random_size(random);
        sum.prepare(n);
        sum.prepare_device_count(n);
        ASSERT_FALSE(has_compiled()) << n;
    }
    sum.prepare(1 << 21, 1 << 24);
    EXPECT_FALSE(has_compiled());

    Reducer products(make_problem("product", Type::f32), shipped_options());
    products.prepare(1000);
    EXPECT_TRUE(has_compiled()) << "products were not warmed";
}

}  // namespace
}  // namespace redtune::runtime
