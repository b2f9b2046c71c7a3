#include "tuner/search/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "db/store.h"

namespace redtune::search {

namespace {

using Phrases = std::vector<std::string>;

void compare_texts(Phrases& phrases, std::string_view what, const std::string& stored, const std::string& now) {
    if (!stored.empty() && !now.empty() && stored != now) {
        phrases.push_back(fmt::format("{} {}, now {}", what, stored, now));
    }
}

void compare_clocks(Phrases& phrases, std::string_view what, std::optional<std::uint32_t> stored,
                    std::optional<std::uint32_t> now) {
    if (!stored || !now || *stored == 0) return;
    const double change = std::abs(static_cast<double>(*now) / *stored - 1);
    if (change > same_clock_within) phrases.push_back(fmt::format("{} {} MHz, now {} MHz", what, *stored, *now));
}

/// Returns the names of the reasons in a bit mask of NVML (nvmlClocksEventReasons in nvml.h). An idle GPU and clocks
/// that the user or a display sets are no throttling.
std::vector<std::string_view> throttle_names(std::uint64_t mask) {
    constexpr std::array<std::pair<std::uint64_t, std::string_view>, 5> reasons = {{{0x04, "power cap"},
                                                                                    {0x08, "hardware slowdown"},
                                                                                    {0x20, "temperature (driver)"},
                                                                                    {0x40, "temperature (hardware)"},
                                                                                    {0x80, "power brake"}}};
    std::vector<std::string_view> names;
    for (const auto& [bit, name] : reasons) {
        if ((mask & bit) != 0) names.push_back(name);
    }
    return names;
}

void compare_circumstances(Phrases& phrases, const Circumstances& stored, const Circumstances& now) {
    compare_clocks(phrases, "SM clock", stored.sm_mhz, now.sm_mhz);
    compare_clocks(phrases, "memory clock", stored.memory_mhz, now.memory_mhz);
    if (!stored.throttle_reasons || !now.throttle_reasons) return;
    const auto begun = throttle_names(*now.throttle_reasons & ~*stored.throttle_reasons);
    const auto ended = throttle_names(*stored.throttle_reasons & ~*now.throttle_reasons);
    if (!begun.empty()) phrases.push_back(fmt::format("clocks are limited now by: {}", fmt::join(begun, ", ")));
    if (!ended.empty()) phrases.push_back(fmt::format("clocks were limited then by: {}", fmt::join(ended, ", ")));
}

void compare_devices(Phrases& phrases, const DeviceInfo& stored, const DeviceInfo& now) {
    if (!stored.uuid.empty() && !now.uuid.empty() && stored.uuid != now.uuid) {
        phrases.push_back(fmt::format("another unit of the device ({}, now {})", stored.uuid, now.uuid));
    }
    const auto profile = [](const DeviceInfo& device) {
        return device.mig_profile.empty() ? "none" : device.mig_profile;
    };
    compare_texts(phrases, "MIG profile", profile(stored), profile(now));
    // Drivers reserve a part of the memory for ECC on devices without HBM.
    if (stored.memory_gib() != now.memory_gib() && stored.memory_bytes != 0 && now.memory_bytes != 0) {
        phrases.push_back(fmt::format("{} GiB of memory, now {} GiB (another model, or ECC was switched)",
                                      stored.memory_gib(), now.memory_gib()));
    }
}

}  // namespace

std::vector<std::string> differences(const Conditions& stored, const Conditions& now) {
    Phrases phrases;
    if (!stored.code_hash.empty() && !now.code_hash.empty() && stored.code_hash != now.code_hash) {
        phrases.emplace_back("the kernel's code has changed");
    }
    if (db::is_replay(stored.source) != db::is_replay(now.source)) {
        phrases.push_back(fmt::format("the stored time is from {}, the new one from {}", stored.source, now.source));
        return phrases;
    }
    compare_texts(phrases, "driver", stored.toolchain.driver_version, now.toolchain.driver_version);
    compare_texts(phrases, "NVRTC", stored.toolchain.nvrtc_version, now.toolchain.nvrtc_version);
    compare_texts(phrases, "redtune", stored.toolchain.redtune_version, now.toolchain.redtune_version);
    compare_devices(phrases, stored.device, now.device);
    compare_circumstances(phrases, stored.circumstances, now.circumstances);
    return phrases;
}

}  // namespace redtune::search
