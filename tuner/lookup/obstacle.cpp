#include "tuner/lookup/obstacle.h"

#include <algorithm>
#include <optional>

#include "tuner/core/finish.h"
#include "tuner/core/named.h"
#include "tuner/lookup/residency.h"

namespace redtune::lookup {

namespace {

constexpr int hopper = 90;  ///< first compute capability with clusters and programmatic dependent launches

constexpr std::array phrases = {
    Named<Obstacle>{"no obstacle", Obstacle::none},
    Named<Obstacle>{"family not built in, so that its needs here are unknown", Obstacle::unknown_family},
    Named<Obstacle>{"needs a newer compute capability than this device has", Obstacle::architecture},
    Named<Obstacle>{"no candidate for this problem on this device", Obstacle::no_candidate},
    Named<Obstacle>{"needs programmatic dependent launches, which begin with compute capability 9.0",
                    Obstacle::dependent_launch},
    Named<Obstacle>{"needs thread block clusters that this device is not sure to run", Obstacle::clusters},
    Named<Obstacle>{"finish not supported by this device or for this problem", Obstacle::finish},
    Named<Obstacle>{"more threads per block than this device runs", Obstacle::threads},
    Named<Obstacle>{"may need more shared memory per block than this device has", Obstacle::shared_memory},
    Named<Obstacle>{"may need more registers per block than this device has", Obstacle::registers},
    Named<Obstacle>{"a block waits for others, of which none is sure to be resident beside it", Obstacle::residency},
    Named<Obstacle>{"uses programmatic dependent launches, which are not allowed", Obstacle::pdl_not_allowed},
    Named<Obstacle>{"assumes forward progress of waiting blocks, which is not allowed", Obstacle::progress_not_allowed},
    Named<Obstacle>{"not deterministic from run to run", Obstacle::not_deterministic}};

std::optional<Finish> finish_of(const Configuration& configuration) {
    const Value* name = configuration.find(finish_parameter);
    return name == nullptr ? std::nullopt : std::optional(parse_finish(to_string(*name)));
}

/// Returns whether a block of the configuration waits until other blocks of its grid have made progress.
bool waits_for_blocks(const Configuration& configuration) {
    const auto finish = finish_of(configuration);
    return finish && traits_of(*finish).needs_forward_progress;
}

/// Upper bound of the static shared memory of a block, in bytes. The kernels that use most keep one accumulator for
/// each thread; the finishes add less than the rest.
std::uint32_t most_static_shared_bytes(std::uint32_t threads, const Problem& problem) {
    constexpr std::uint32_t of_finish = 2048;
    return threads * accumulator_bytes(problem) + of_finish;
}

BlockResources resources_of(const TunedSize& tuned, const Problem& problem, bool are_measured) {
    const LaunchRule& rule = tuned.rule;
    const bool are_known = are_measured && tuned.resources.registers > 0;
    return {.threads = rule.block,
            .registers = are_known ? tuned.resources.registers : most_registers(rule.block),
            .shared_bytes = rule.shared_bytes +
                            (are_known ? tuned.resources.shared_bytes : most_static_shared_bytes(rule.block, problem)),
            .cluster = rule.cluster};
}

/// Returns the resources of the launch that combines the partials; of no thread if there is none.
BlockResources resources_of_second_launch(const LaunchRule& rule, const Problem& problem) {
    if (rule.continuation != Continuation::combine_partials) return {};
    const std::uint32_t threads = combine_block(rule);
    return {.threads = threads,
            .registers = most_registers(threads),
            .shared_bytes = most_static_shared_bytes(threads, problem)};
}

/// Returns whether a block exceeds a limit of the device.
Obstacle exceeded_limit(const BlockResources& block, const DeviceInfo& device) {
    constexpr std::uint32_t max_threads_per_block = 1024;
    if (block.threads > std::min(max_threads_per_block, device.max_threads_per_sm)) return Obstacle::threads;
    if (block.shared_bytes > device.max_shared_bytes_per_block) return Obstacle::shared_memory;
    if (block.threads * block.registers > device.max_registers_per_block) return Obstacle::registers;
    return Obstacle::none;
}

/// Returns the number of blocks that are resident at once: the caller's answer, else the estimate.
std::uint64_t resident(const TunedSize& tuned, const BlockResources& block, const DeviceInfo& device,
                       const OccupancyQuery& query) {
    if (query) {
        const auto answer = query({.family = tuned.configuration.family,
                                   .parameters = tuned.configuration.parameters,
                                   .block = tuned.rule.block,
                                   .shared_bytes = tuned.rule.shared_bytes,
                                   .cluster = tuned.rule.cluster});
        if (answer) return *answer;
    }
    return resident_blocks(block, device);
}

Obstacle lacking_feature(const TunedSize& tuned, const Problem& problem, const DeviceInfo& device) {
    const int compute_capability = device.compute_major * 10 + device.compute_minor;
    if ((tuned.rule.pdl || tuned.rule.combine_pdl) && compute_capability < hopper) return Obstacle::dependent_launch;
    if (tuned.rule.cluster > 1 && compute_capability < hopper) return Obstacle::clusters;
    const auto finish = finish_of(tuned.configuration);
    return finish && !is_supported(*finish, problem, compute_capability) ? Obstacle::finish : Obstacle::none;
}

}  // namespace

std::string_view describe(Obstacle obstacle) noexcept {
    return name_of(phrases, obstacle);
}

Obstacle find_obstacle(const TunedSize& tuned, const Problem& problem, const DeviceInfo& device,
                       const SelectOptions& options, bool was_measured_there) {
    const LaunchRule& rule = tuned.rule;
    const bool waits = waits_for_blocks(tuned.configuration);
    if (!options.allow_pdl && (rule.pdl || rule.combine_pdl)) return Obstacle::pdl_not_allowed;
    if (!options.allow_forward_progress && waits) return Obstacle::progress_not_allowed;
    if (problem.determinism == Determinism::run_to_run && !tuned.deterministic) return Obstacle::not_deterministic;
    if (const Obstacle lacking = lacking_feature(tuned, problem, device); lacking != Obstacle::none) return lacking;
    const BlockResources block = resources_of(tuned, problem, was_measured_there);
    for (const BlockResources& each : {block, resources_of_second_launch(rule, problem)}) {
        if (const Obstacle exceeded = exceeded_limit(each, device); exceeded != Obstacle::none) return exceeded;
    }
    const bool is_cluster_to_check = rule.cluster > 1 && !was_measured_there;
    if (!waits && !is_cluster_to_check) return Obstacle::none;
    const std::uint64_t at_once = resident(tuned, block, device, options.occupancy);
    if (is_cluster_to_check && at_once < rule.cluster) return Obstacle::clusters;
    // The first block or cluster waits; the others need room for at least one of them.
    const bool has_room = at_once >= 2 * std::uint64_t{rule.cluster};
    return waits && !has_room && !(was_measured_there && rule.cluster > 1) ? Obstacle::residency : Obstacle::none;
}

}  // namespace redtune::lookup
