#include "tests/gpu/loaded_candidates.h"

#include <cstdlib>
#include <set>

#include "db/space.h"
#include "redtune/error.h"

namespace redtune::test_support {

namespace {

constexpr std::uint64_t largest_n = std::uint64_t{16} << 20;

}  // namespace

LoadedCandidates::LoadedCandidates(const Problem& problem)
    : brief_(std::getenv("REDTUNE_BRIEF") != nullptr),
      problem_(problem),
      device_(gpu::device_at(0)),
      context_(0),
      sources_(jit::SourceSet::load()),
      families_(sources_.families()),
      cache_(jit::CubinCache::default_folder(), jit::CubinCache::default_cap_bytes()),
      compiler_(sources_, cache_, device_.info.architecture()),
      kernels_(compiler_, problem, device_.info.sm_count),
      inputs_(kernels_, problem, largest_n, stream_),
      checker_(inputs_, problem, stream_) {}

std::vector<std::uint64_t> LoadedCandidates::sizes(std::vector<std::uint64_t> all) const {
    if (brief_) all.resize(2);
    return all;
}

std::vector<search::Trial> LoadedCandidates::trials(std::uint64_t n) {
    std::vector<search::Trial> trials;
    std::set<jit::KernelName> wanted;
    for (const Family& family : families_) {
        for (Candidate& candidate : db::candidates(family, device_.info, problem_, n)) {
            for (const KernelRole role : roles_of(candidate.rule)) {
                wanted.insert(jit::kernel_name(family, problem_, candidate, role));
            }
            trials.push_back({&family, std::move(candidate)});
        }
    }
    const std::vector<jit::KernelName> names(wanted.begin(), wanted.end());
    std::vector<jit::CompiledKernel> kernels = compiler_.compile(names);
    for (std::size_t i = 0; i < names.size(); ++i) compiled_.try_emplace(names[i], std::move(kernels[i]));
    return trials;
}

std::string LoadedCandidates::kind(const search::Trial& trial) {
    const Value* finish = trial.candidate.configuration.find("finish");
    const Value* vector = trial.candidate.configuration.find("vector_bytes");
    return trial.family->name + (finish != nullptr ? to_string(*finish) : "") +
           (vector != nullptr ? to_string(*vector) : "");
}

bench::Runnable LoadedCandidates::load(const search::Trial& trial) {
    bench::Runnable runnable;
    runnable.rule = trial.candidate.rule;
    for (const KernelRole role : roles_of(runnable.rule)) {
        const jit::CompiledKernel& kernel =
            compiled_.at(jit::kernel_name(*trial.family, problem_, trial.candidate, role));
        if (!kernel.error.empty()) throw CompileError(to_string(trial.candidate.configuration), kernel.error);
        std::unique_ptr<gpu::Module>& module = modules_[kernel.cubin.get()];
        if (module == nullptr) module = std::make_unique<gpu::Module>(*kernel.cubin);
        runnable.kernels[static_cast<std::size_t>(role)] = module->function(kernel.symbol);
        if (role == KernelRole::first) runnable.resources = kernel.resources;
    }
    return runnable;
}

}  // namespace redtune::test_support
