#include <algorithm>
#include <stdexcept>

#include "emulator.h"
#include "scheduler.h"

namespace emulator {

LaunchState launch;
constinit Current current{false, 0, nullptr};

namespace {

constexpr unsigned most_dynamic_shared = 227 * 1024;

void check_shape(const Launch& shape) {
    const auto require = [](bool condition, const char* what) {
        if (!condition) throw std::invalid_argument(std::string("emulator::run: ") + what);
    };
    require(shape.grid >= 1 && shape.grid < (1u << 21), "the grid has 1 to 2^21 - 1 blocks");
    require(shape.block >= 1 && shape.block <= 1024, "a block has 1 to 1024 threads");
    require(shape.shared_bytes <= most_dynamic_shared, "no GPU has so much shared memory");
    require(shape.cluster >= 1 && shape.cluster <= 16 && shape.grid % shape.cluster == 0,
            "a cluster has 1 to 16 blocks and divides the grid");
    require(current.thread == nullptr, "a launch is in progress");
}

}  // namespace

Report run(const std::function<void()>& thread_body, const Launch& shape, const Memory& memory,
           const Options& options) {
    check_shape(shape);
    ++launch.number;
    launch.shape = shape;
    launch.memory = &memory;
    launch.body = &thread_body;
    launch.random = Random(options.seed);
    launch.defects.reset(std::max(options.most_defects, 1));
    launch.abandoned = false;
    launch.first_epoch = ++launch.last_epoch;
    launch.transfers_started = 0;
    launch.stalled = 0;
    launch.layout.reset(shape.shared_bytes);
    launch.blocks.assign(shape.grid, nullptr);
    launch.ended.assign(shape.grid, false);
    launch.atomics.clear();
    launch.copy_barriers.clear();
    launch.transfers.clear();
    launch.arrival_clocks.clear();
    launch.cluster_barriers.assign(shape.grid / shape.cluster, ClusterBarrier());
    for (ClusterBarrier& barrier : launch.cluster_barriers) barrier.missing = shape.cluster * shape.block;

    // Several clusters are in flight at a time, so that races between clusters show.
    const unsigned by_seed = std::min((1 + launch.random.below(8)) * shape.cluster, 16u);
    const unsigned in_flight = options.blocks_in_flight > 0 ? options.blocks_in_flight : by_seed;
    run_blocks(shape.all_resident ? shape.grid : in_flight);
    return {launch.defects.texts()};
}

}  // namespace emulator
