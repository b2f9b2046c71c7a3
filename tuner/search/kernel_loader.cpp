#include "tuner/search/kernel_loader.h"

#include <set>
#include <vector>

#include "redtune/error.h"

namespace redtune::search {

void KernelLoader::prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                           const std::atomic<bool>* stop) {
    std::set<jit::KernelName> wanted;
    for (const Trial& trial : trials) {
        for (const KernelRole role : roles_of(trial.candidate.rule)) {
            jit::KernelName name = jit::kernel_name(*trial.family, problem_, trial.candidate, role);
            if (!kernels_.contains(name)) wanted.insert(std::move(name));
        }
    }
    if (wanted.empty()) return;
    const std::vector<jit::KernelName> names(wanted.begin(), wanted.end());
    const auto report = [&](const jit::CompileCounts& counts) {
        if (progress) progress({counts.done, counts.wanted, counts.from_cache, counts.failed});
    };
    std::vector<jit::CompiledKernel> compiled = compiler_.compile(names, report, stop);
    if (stop != nullptr && *stop) return;
    for (std::size_t i = 0; i < names.size(); ++i) kernels_[names[i]] = std::move(compiled[i]);
}

launch::LoadedKernel KernelLoader::load(const Trial& trial) {
    launch::LoadedKernel loaded_kernel;
    loaded_kernel.rule = trial.candidate.rule;
    loaded_kernel.destructive = trial.candidate.destructive;
    for (const KernelRole role : roles_of(loaded_kernel.rule)) {
        const auto found = kernels_.find(jit::kernel_name(*trial.family, problem_, trial.candidate, role));
        if (found == kernels_.end()) throw Error("a candidate is measured that was not prepared");
        const jit::CompiledKernel& kernel = found->second;
        if (!kernel.error.empty()) throw CompileError(to_string(trial.candidate.configuration), kernel.error);
        std::unique_ptr<gpu::Module>& module = modules_[kernel.cubin.get()];
        if (module == nullptr) module = std::make_unique<gpu::Module>(*kernel.cubin);
        loaded_kernel.kernels[static_cast<std::size_t>(role)] = module->function(kernel.symbol);
        if (role != KernelRole::first) continue;
        loaded_kernel.resources = kernel.resources;
        gpu::Module::allow_launches(loaded_kernel.kernels[static_cast<std::size_t>(role)],
                                    loaded_kernel.rule.shared_bytes, loaded_kernel.rule.cluster);
    }
    return loaded_kernel;
}

}  // namespace redtune::search
