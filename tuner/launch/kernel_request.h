#pragma once

#include <span>
#include <string_view>

#include "redtune/match.h"
#include "tuner/core/configuration.h"
#include "tuner/core/launch_rule.h"

namespace redtune::launch {

/// A request for the kernels of a configuration with its launch rule. It holds references to the configuration and the
/// rule, so they must outlive it.
struct KernelRequest {
    KernelRequest(const Configuration& configuration, const LaunchRule& launch_rule)
        : family(configuration.family), parameters(configuration.parameters), rule(&launch_rule) {}
    explicit KernelRequest(const Match& match) : family(match.family), parameters(match.parameters), rule(match.rule) {}

    std::string_view family;
    std::span<const Parameter> parameters;
    const LaunchRule* rule;
};

}  // namespace redtune::launch
