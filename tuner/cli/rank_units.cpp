#include "tuner/cli/rank_units.h"

#include <fmt/format.h>

#include <chrono>
#include <set>

#include "redtune/error.h"
#include "tuner/gpu/device.h"
#include "tuner/search/gpu_capabilities.h"
#include "tuner/search/rank_address.h"
#include "tuner/search/rank_agent.h"
#include "tuner/search/worker_executor.h"

namespace redtune::cli {

namespace {

constexpr std::chrono::seconds ranks_come_within{60};

}  // namespace

DeviceList choose_devices_of_rank(const std::string& text, const search::Ranks& ranks) {
    const std::size_t gpus = text.empty() ? gpu::list_devices().size() : 0;
    if (gpus < 2) return choose_devices(text);  // srun may show each rank one GPU
    if (ranks.local < gpus) return choose_devices(std::to_string(ranks.local));
    throw DeviceError(fmt::format(
        "rank {} is number {} on this machine, which has {} GPUs; start at most as many ranks on a machine as it has "
        "GPUs, or one rank with --device all",
        ranks.rank, ranks.local, gpus));
}

void serve_as_rank(const search::Ranks& ranks, const std::string& device, const ProblemOptions& options,
                   const jit::SourceSet& sources, const std::filesystem::path& database) {
    const DeviceList list = choose_devices_of_rank(device, ranks);
    std::vector<search::UnitOffer> units;
    for (std::size_t i = 0; i < list.devices.size(); ++i) {
        const DeviceChoice& choice = list.devices[i];
        const auto capabilities = make_capabilities(choice, parse_problems(options).front(), sources);
        units.push_back({{},
                         ranks.rank,
                         list.devices.size(),
                         list.labels[i],
                         choice.ordinal,
                         choice.recording,
                         capabilities->device(),
                         capabilities->toolchain()});
    }
    search::serve_rank_0(search::rank_address_file(database), ranks.job, units, worker_command());
}

RankUnits::RankUnits(const search::Ranks& ranks, const std::filesystem::path& database, const DeviceList& own,
                     const std::atomic<bool>& stop)
    : stop_(stop), hub_(search::rank_address_file(database), ranks.job) {
    units_ = hub_.await_ranks(ranks.count - 1, ranks_come_within, stop);
    std::set<std::size_t> came;
    for (const search::UnitOffer& unit : units_) came.insert(unit.rank);
    if (came.size() < ranks.count - 1 && !stop) {
        fmt::print(stderr, "{} of {} ranks have not come within {} s and are left out.\n",
                   ranks.count - 1 - came.size(), ranks.count, ranks_come_within.count());
    }
    leave_out_known_gpus(own);
}

/// Leaves out the GPUs that another rank has offered too.
void RankUnits::leave_out_known_gpus(const DeviceList& own) {
    std::set<std::string> known;
    for (const DeviceChoice& choice : own.devices) {
        if (choice.ordinal >= 0) known.insert(gpu::device_at(choice.ordinal).info.uuid);
    }
    std::erase_if(units_, [&](const search::UnitOffer& unit) {
        if (unit.ordinal < 0 || unit.device.uuid.empty() || known.insert(unit.device.uuid).second) return false;
        fmt::print(stderr, "{} is left out, because another rank measures on the same GPU.\n", unit.name());
        return true;
    });
}

std::vector<std::unique_ptr<search::Executor>> RankUnits::make_executors(const Problem& problem,
                                                                         std::uint64_t largest_n,
                                                                         const ProblemOptions& options,
                                                                         const jit::SourceSet& sources) {
    std::vector<std::unique_ptr<search::Executor>> executors;
    for (const search::UnitOffer& unit : units_) {
        const DeviceChoice choice{unit.ordinal, unit.recording};
        std::unique_ptr<search::Capabilities> capabilities;
        if (unit.ordinal < 0) {
            capabilities = make_capabilities(choice, problem, sources);
        } else {
            capabilities = std::make_unique<search::GpuCapabilities>(unit.device, unit.toolchain, problem);
        }
        executors.push_back(
            std::make_unique<search::WorkerExecutor>(std::move(capabilities), hub_.workers_of(unit, stop_),
                                                     make_task(choice, problem, largest_n, options, sources), stop_));
    }
    return executors;
}

std::vector<std::string> RankUnits::labels() const {
    std::vector<std::string> labels;
    for (const search::UnitOffer& unit : units_) labels.push_back(unit.name());
    return labels;
}

}  // namespace redtune::cli
