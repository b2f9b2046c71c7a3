#include "tests/needs_gpu/loaded_candidates.h"

#include <cstdlib>
#include <set>

#include "db/space.h"
#include "redtune/error.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::test_support {

namespace {

std::vector<Trial> all_trials(const std::vector<Family>& families, const DeviceInfo& device, const Problem& problem,
                              std::uint64_t n, Regime regime = Regime::cold) {
    std::vector<Trial> trials;
    for (const Family& family : families) {
        for (Candidate& candidate : db::candidates(family, device, problem, n, regime)) {
            trials.push_back(std::move(candidate));
        }
    }
    return trials;
}

/// Returns one trial of each kind. Two trials are of the same kind if they have the same family and the same values of
/// the parameters in `names`. Parameters whose effect does not depend on the operator are varied for 32-bit sums only.
std::vector<Trial> of_each_kind(std::vector<Trial> trials, const Problem& problem) {
    std::vector<const char*> names = {"finish", "vector_bytes", "lanes", "threads_per_row"};
    if (problem.op == "sum" && size_of(problem.input) == 4) {
        names.insert(names.end(), {"cluster", "stages", "path", "mapping", "accumulators", "min_blocks", "polls_last"});
    }
    std::set<std::string> seen;
    std::vector<Trial> chosen;
    for (Trial& trial : trials) {
        std::string kind = trial.configuration.family;
        for (const char* name : names) {
            if (const Value* value = trial.configuration.find(name)) kind += " " + to_string(*value);
        }
        if (seen.insert(kind).second) chosen.push_back(std::move(trial));
    }
    return chosen;
}

void insert_names(std::set<jit::KernelName>& names, const std::vector<Family>& families, const Problem& problem,
                  const Trial& trial) {
    const Family& family = jit::find_family(families, trial.configuration.family);
    for (const KernelRole role : roles_of(trial.rule)) {
        names.insert(launch::kernel_name(family, problem, {trial.configuration, trial.rule}, role));
    }
}

}  // namespace

LoadedCandidates::LoadedCandidates(const Problem& problem, std::uint64_t largest_n)
    : problem_(problem),
      device_(gpu::device_at(0)),
      context_(0),
      sources_(jit::SourceSet::load()),
      families_(sources_.families()),
      cache_(jit::CubinCache::default_folder(), jit::CubinCache::default_cap_bytes()),
      compiler_(sources_, cache_, device_.info.architecture()),
      kernels_(compiler_, problem, device_.info.sm_count),
      inputs_(kernels_, problem, largest_n, stream_),
      checker_(kernels_, inputs_, problem, stream_),
      loader_(compiler_, families_, problem) {}

std::vector<Trial> LoadedCandidates::trials(std::uint64_t n, Regime regime) {
    return all_trials(families_, device_.info, problem_, n, regime);
}

std::vector<Trial> LoadedCandidates::trials_of_each_kind(std::uint64_t n) {
    return of_each_kind(trials(n), problem_);
}

void LoadedCandidates::prepare(const std::vector<Trial>& trials) {
    std::vector<launch::KernelRequest> requests;
    for (const Trial& trial : trials) requests.emplace_back(trial.configuration, trial.rule);
    loader_.prepare(requests);
}

void LoadedCandidates::compile_ahead(const std::vector<Problem>& problems, const std::vector<std::uint64_t>& sizes) {
    const gpu::Device device = gpu::device_at(0);
    const jit::SourceSet sources = jit::SourceSet::load();
    const std::vector<Family> families = sources.families();
    std::set<jit::KernelName> wanted;
    for (const Problem& problem : problems) {
        for (jit::KernelName& name : timing::support_kernel_names(problem)) wanted.insert(std::move(name));
        for (const std::uint64_t n : sizes) {
            const std::uint64_t whole_rows = n / shape_of(problem).unit() * shape_of(problem).unit();
            for (const Trial& trial : of_each_kind(all_trials(families, device.info, problem, whole_rows), problem)) {
                insert_names(wanted, families, problem, trial);
            }
        }
    }
    jit::CubinCache cache(jit::CubinCache::default_folder(), jit::CubinCache::default_cap_bytes());
    jit::Compiler(sources, cache, device.info.architecture()).compile({wanted.begin(), wanted.end()});
}

launch::LoadedKernel LoadedCandidates::load(const Trial& trial) {
    return loader_.load(trial.configuration, trial.rule);
}

}  // namespace redtune::test_support
