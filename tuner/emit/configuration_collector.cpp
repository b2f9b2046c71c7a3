#include "tuner/emit/configuration_collector.h"

#include <fmt/format.h>

#include <algorithm>

#include "redtune/error.h"
#include "redtune/size.h"
#include "tuner/core/finish.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::emit {

namespace {

constexpr int hopper = 90;

/// Returns the oldest compute capability that can run a configuration.
int compute_capability_of(const Family& family, const Match& match) {
    int needed = family.minimum_compute_capability;
    for (const Parameter& parameter : match.parameters) {
        if (parameter.name != finish_parameter) continue;
        needed = std::max(needed, traits_of(parse_finish(to_string(parameter.value))).minimum_compute_capability);
    }
    const LaunchRule& rule = *match.rule;
    return rule.cluster > 1 || rule.pdl || rule.combine_pdl ? std::max(needed, hopper) : needed;
}

}  // namespace

std::size_t ConfigurationCollector::configuration_at(std::uint64_t n) {
    const Request& request = emission_.request;
    const auto match = catalog_.find(request.problem, n, request.device, request.regime);
    if (!match) {
        throw InputError(
            fmt::format("no tuned configuration can reduce {} elements; give other sizes by --size, or "
                        "tune sizes near it",
                        format_size(n)));
    }
    return add(*match);
}

std::size_t ConfigurationCollector::add(const Match& match) {
    for (const Seen& seen : seen_) {
        if (seen.rule == *match.rule && seen.configuration.family == match.family &&
            std::ranges::equal(seen.configuration.parameters, match.parameters)) {
            return seen.index;
        }
    }
    seen_.push_back(
        {{std::string(match.family), {match.parameters.begin(), match.parameters.end()}}, *match.rule, intern(match)});
    return seen_.back().index;
}

std::size_t ConfigurationCollector::intern(const Match& match) {
    const Family& family = jit::find_family(families_, match.family);
    EmittedConfiguration wanted = describe(family, match);
    auto& known = emission_.configurations;
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.is_same_code(wanted); });
    const auto index = static_cast<std::size_t>(found - known.begin());
    if (found == known.end()) {
        emission_.minimum_compute_capability =
            std::max(emission_.minimum_compute_capability, compute_capability_of(family, match));
        emission_.destructive = emission_.destructive || family.destructive;
        emission_.code_hashes[family.name] = family.code_hash;
        known.push_back(std::move(wanted));
    }
    return index;
}

EmittedConfiguration ConfigurationCollector::describe(const Family& family, const Match& match) {
    EmittedConfiguration configuration;
    configuration.text = to_string_without_defaults(
        {std::string(match.family), {match.parameters.begin(), match.parameters.end()}}, family);
    configuration.rule = *match.rule;
    // Without this launch its block does not matter, and two configurations that differ in it only are the same.
    if (configuration.rule.continuation != Continuation::combine_partials) configuration.rule.combine_block = 0;
    for (const KernelRole role : roles_of(configuration.rule)) {
        const int kernel =
            kernel_index(launch::kernel_name(family, emission_.request.problem, launch::KernelRequest(match), role));
        configuration.kernels.at(static_cast<std::size_t>(role)) = kernel;
        if (role == KernelRole::combine_partials) continue;
        Kernel& limits = emission_.kernels[static_cast<std::size_t>(kernel)];
        limits.shared_bytes = std::max(limits.shared_bytes, configuration.rule.shared_bytes);
        limits.cluster = std::max(limits.cluster, configuration.rule.cluster);
    }
    return configuration;
}

int ConfigurationCollector::kernel_index(jit::KernelName name) {
    auto& known = emission_.kernels;
    const auto found = std::find_if(known.begin(), known.end(), [&](const Kernel& each) { return each.name == name; });
    const auto index = static_cast<int>(found - known.begin());
    if (found == known.end()) known.push_back({.name = std::move(name)});
    return index;
}

}  // namespace redtune::emit
