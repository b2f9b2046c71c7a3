#include "tuner/runtime/reducer_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "tests/runtime/simulated_stream.h"
#include "tuner/core/well_known_devices.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/kernel_name.h"
#include "tuner/runtime/configurations.h"

namespace redtune::runtime {
namespace {

using launch::CountPlace;

const std::vector<Family>& built_in_families() {
    static const std::vector<Family> families = jit::SourceSet::load().families();
    return families;
}

/// Returns the kernels of a call with n elements.
std::set<jit::KernelName> kernels_of_call(const Selector& selector, const Problem& problem, std::uint64_t n,
                                          CountPlace place) {
    std::set<jit::KernelName> names;
    const auto match = selector.find(n);
    if (!match) return names;
    const Family& family = jit::find_family(built_in_families(), match->family);
    for (const Launch& launch : match->plan.launches()) {
        names.insert(launch::kernel_name(family, problem, launch::KernelRequest(*match, place), launch.role));
    }
    return names;
}

/// Returns a number up to 2^most_exponent; all powers of two are equally likely.
std::uint64_t random_number(double most_exponent, std::mt19937_64& random) {
    return static_cast<std::uint64_t>(std::exp2(std::uniform_real_distribution(0.0, most_exponent)(random)));
}

/// Returns a device of the same compute capability that nobody knows, with 2 to 255 SMs and 0.5 to 128 MiB of L2.
DeviceInfo unknown_device(const DeviceInfo& known, std::mt19937_64& random) {
    DeviceInfo device = known;
    device.name = "unknown";
    device.sm_count = static_cast<std::uint32_t>(2 * random_number(7, random));
    device.l2_bytes = random_number(8, random) << 19;
    return device;
}

Regime random_regime(std::mt19937_64& random) {
    constexpr std::array regimes = {Regime::cold, Regime::warm, Regime::back_to_back};
    return regimes[random() % regimes.size()];
}

std::vector<DeviceInfo> well_known_devices_of(int compute_capability) {
    std::vector<DeviceInfo> found = well_known_devices();
    std::erase_if(found, [&](const DeviceInfo& device) {
        return device.compute_major * 10 + device.compute_minor != compute_capability;
    });
    return found;
}

class ReducerKernelsTest : public testing::TestWithParam<int> {};

/// The kernels for the well-known devices of an architecture are those for its other devices as well.
TEST_P(ReducerKernelsTest, AreAllThatLookUpsOfUnknownDevicesReturn) {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    const std::vector<DeviceInfo> known = well_known_devices_of(GetParam());
    std::vector<Problem> problems = {make_problem("sum", Type::f32), make_problem("argmax", Type::f16),
                                     make_problem("mean", Type::f32)};
    problems.back().row_length = 999;
    for (const Problem& problem : problems) {
        ReducerKernels found;
        for (const DeviceInfo& device : known) {
            add_reducer_kernels(shipped_catalog(), built_in_families(), problem, device, {}, found);
        }
        EXPECT_THAT(found.unusable, testing::IsEmpty());
        for (int i = 0; i < 4; ++i) {
            const DeviceInfo device = unknown_device(known[random() % known.size()], random);
            SelectOptions options;
            options.regime = random_regime(random);
            options.max_workspace_bytes = default_max_workspace_bytes;
            const Selector selector = shipped_catalog().select(problem, device, options);
            for (int call = 0; call < 200; ++call) {
                const std::uint64_t n = random_number(36, random) * std::max<std::uint64_t>(1, problem.row_length);
                const auto place =
                    problem.row_length == 0 && call % 2 == 0 ? CountPlace::device_memory : CountPlace::arguments;
                for (const jit::KernelName& name : kernels_of_call(selector, problem, n, place)) {
                    EXPECT_TRUE(found.names.contains(name))
                        << device.sm_count << " SMs, n = " << n << ": " << name.expression;
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(ReducerKernels, ReducerKernelsTest, testing::Values(75, 80, 89, 90, 120));

TEST(ReducerKernels, OnlyTheSizesOfTheCallsCount) {
    const Problem problem = make_problem("sum", Type::f32);
    const DeviceInfo device = find_well_known_device("NVIDIA H200").value();
    const auto count = [&](const ExpectedCalls& calls) {
        ReducerKernels found;
        add_reducer_kernels(shipped_catalog(), built_in_families(), problem, device, calls, found);
        return found.names.size();
    };
    EXPECT_LE(count({1000, 1000, false}), 3U) << "one configuration in each regime";
    EXPECT_LT(count({1000, 100'000, false}), count({.with_device_count = false}));
    EXPECT_EQ(2 * count({1000, 100'000, false}), count({1000, 100'000, true}));
}

TEST(ReducerKernels, OnlyTheRegimesOfTheReducersCount) {
    const auto names = [](std::vector<Regime> regimes) {
        ReducerKernels found;
        const ExpectedCalls calls = {.with_device_count = false, .regimes = std::move(regimes)};
        add_reducer_kernels(shipped_catalog(), built_in_families(), make_problem("sum", Type::f32),
                            find_well_known_device("NVIDIA H200").value(), calls, found);
        return found.names;
    };
    const std::set<jit::KernelName> all = names(ExpectedCalls().regimes);
    const std::set<jit::KernelName> cold = names({Regime::cold});
    EXPECT_LT(cold.size(), all.size());
    EXPECT_TRUE(std::ranges::includes(all, cold));
}

TEST(ReducerKernels, CallsWithRowsHaveWholeRows) {
    Problem problem = make_problem("sum", Type::f32);
    problem.row_length = 1000;
    ReducerKernels none;
    const DeviceInfo device = find_well_known_device("NVIDIA H200").value();
    add_reducer_kernels(shipped_catalog(), built_in_families(), problem, device, {1001, 1999}, none);
    EXPECT_THAT(none.names, testing::IsEmpty());
    add_reducer_kernels(shipped_catalog(), built_in_families(), problem, device, {1001, 2000}, none);
    EXPECT_THAT(none.names, testing::Not(testing::IsEmpty()));
}

TEST(ReducerKernels, AConfigurationOfAFamilyThatIsGoneIsReported) {
    std::vector<Family> families = built_in_families();
    std::erase_if(families, [](const Family& family) { return family.name == "single_block"; });
    ReducerKernels found;
    add_reducer_kernels(shipped_catalog(), families, make_problem("sum", Type::f32),
                        find_well_known_device("NVIDIA H200").value(), {1000, 1000}, found);
    EXPECT_THAT(found.names, testing::IsEmpty());
    EXPECT_THAT(found.unusable, testing::ElementsAre(testing::HasSubstr("there is no family 'single_block'")));
}

}  // namespace
}  // namespace redtune::runtime
