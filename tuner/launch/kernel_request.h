#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "redtune/match.h"
#include "tuner/core/configuration.h"
#include "tuner/core/launch_rule.h"

namespace redtune::launch {

/// The place of the number of elements when a kernel is launched: among its arguments, or in device memory.
enum class CountPlace : std::uint8_t { arguments, device_memory };

/// A request for the kernels of a configuration with its launch rule. It holds references to the configuration and the
/// rule, so they must outlive it.
struct KernelRequest {
    KernelRequest(const Configuration& configuration, const LaunchRule& launch_rule,
                  CountPlace place = CountPlace::arguments)
        : family(configuration.family), parameters(configuration.parameters), rule(&launch_rule), count(place) {}
    explicit KernelRequest(const Match& match, CountPlace place = CountPlace::arguments)
        : family(match.family), parameters(match.parameters), rule(match.rule), count(place) {}

    std::string_view family;
    std::span<const Parameter> parameters;
    const LaunchRule* rule;
    CountPlace count;
};

}  // namespace redtune::launch
