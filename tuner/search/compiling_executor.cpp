#include "tuner/search/compiling_executor.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>

#include "redtune/error.h"
#include "redtune/version.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::search {

namespace {

/// Cores that do not compile: one for the process that measures, one for the process of the search.
constexpr int cores_left_free = 2;
/// With fewer cores that compile, the GPU would wait for kernels as long as if all cores compiled between measurements.
constexpr int fewest_cores = 2;
/// Threads of a process that compile. They are few, so that the first kernels can soon be run, and more than one,
/// because a process takes about 100 MiB of memory.
constexpr unsigned threads = 2;
constexpr int low_priority = 10;

/// Returns the cores that the calling thread may use.
cpu_set_t allowed_cores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    // Fails on machines with more than CPU_SETSIZE cores, which then count as none.
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) CPU_ZERO(&cores);
    return cores;
}

/// Takes the first cores away from the calling thread and gives it low priority.
void yield_cores() {
    cpu_set_t cores = allowed_cores();
    int to_free = cores_left_free;
    for (std::size_t core = 0; core < CPU_SETSIZE && to_free > 0; ++core) {
        if (!CPU_ISSET(core, &cores)) continue;
        CPU_CLR(core, &cores);
        --to_free;
    }
    if (CPU_COUNT(&cores) > 0) sched_setaffinity(0, sizeof cores, &cores);
    setpriority(PRIO_PROCESS, 0, low_priority);
}

/// Gives way to other processes and returns options for a compiler.
jit::CompilerOptions options_after_yielding() {
    yield_cores();
    return {.threads = threads};
}

[[noreturn]] void refuse() {
    throw Error("this process only compiles");
}

}  // namespace

std::size_t CompilingExecutor::most_at_a_time() {
    const cpu_set_t cores = allowed_cores();
    const int count = CPU_COUNT(&cores);
    if (count < cores_left_free + fewest_cores) return 0;
    // A few threads more than cores, because a process waits for the next kernels between two compilations.
    return static_cast<std::size_t>(count) / threads;
}

CompilingExecutor::CompilingExecutor(const std::string& architecture, const Problem& problem,
                                     const jit::SourceSet& sources, jit::CubinCache& cache)
    : CapableExecutor(std::make_shared<GpuCapabilities>(
          DeviceInfo(), ToolchainInfo{REDTUNE_VERSION, gpu::Nvrtc::get().version(), ""}, problem)),
      cache_(cache),
      compiler_(sources, cache, architecture, options_after_yielding()),
      families_(sources.families()),
      loader_(compiler_, families_, problem) {}

void CompilingExecutor::prepare(std::span<const Trial> trials,
                                const std::function<void(const PrepareProgress&)>& progress,
                                const std::atomic<bool>& stop) {
    std::vector<launch::KernelRequest> requests;
    for (const Trial& trial : trials) requests.emplace_back(trial.configuration, trial.rule);
    const auto report = [&](const jit::CompileCounts& counts) {
        if (progress) progress({counts.done, counts.wanted, counts.from_cache, counts.failed});
    };
    loader_.prepare(requests, report, &stop);
    if (!cache_.is_writable() || cache_.cap_bytes() == 0) throw Error("the kernel cache takes no entries");
}

void CompilingExecutor::use_data(const timing::Data&) {
    refuse();
}

Measurement CompilingExecutor::measure(const Trial&, std::uint64_t, Regime, Stage, double) {
    refuse();
}

std::vector<Measurement> CompilingExecutor::compare(std::span<const Trial>, std::uint64_t, Regime, int) {
    refuse();
}

}  // namespace redtune::search
