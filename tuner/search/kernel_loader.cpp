#include "tuner/search/kernel_loader.h"

#include <set>
#include <vector>

#include "redtune/error.h"
#include "tuner/jit/source_set.h"

namespace redtune::search {

namespace {

/// Returns the trial with the template arguments of its kernel. A value that is a name is the enumerator of an
/// enumeration that is called like the parameter: finish = "ticket" is Finish::ticket.
Candidate with_instantiation(const Family& family, const Trial& trial) {
    Candidate candidate{trial, {}};
    for (std::size_t i = 0; i < trial.configuration.parameters.size(); ++i) {
        if (!family.parameters[i].compile) continue;
        const Parameter& parameter = trial.configuration.parameters[i];
        if (!candidate.instantiation.empty()) candidate.instantiation += ", ";
        if (std::holds_alternative<std::string>(parameter.value)) {
            std::string type = parameter.name;
            type[0] = static_cast<char>(type[0] - 'a' + 'A');
            candidate.instantiation += "redtune::" + type + "::";
        }
        candidate.instantiation += to_string(parameter.value);
    }
    return candidate;
}

}  // namespace

std::set<jit::KernelName> kernel_names(const std::vector<Family>& families, const Problem& problem,
                                       std::span<const Trial> trials) {
    std::set<jit::KernelName> names;
    for (const Trial& trial : trials) {
        const Family& family = jit::find_family(families, trial.configuration.family);
        const Candidate candidate = with_instantiation(family, trial);
        for (const KernelRole role : roles_of(trial.rule)) {
            names.insert(jit::kernel_name(family, problem, candidate, role));
        }
    }
    return names;
}

void KernelLoader::prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                           const std::atomic<bool>* stop) {
    std::set<jit::KernelName> wanted = kernel_names(families_, problem_, trials);
    std::erase_if(wanted, [&](const jit::KernelName& name) { return kernels_.contains(name); });
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
    loaded_kernel.rule = trial.rule;
    loaded_kernel.destructive = trial.destructive;
    const Family& family = jit::find_family(families_, trial.configuration.family);
    const Candidate candidate = with_instantiation(family, trial);
    for (const KernelRole role : roles_of(loaded_kernel.rule)) {
        const auto found = kernels_.find(jit::kernel_name(family, problem_, candidate, role));
        if (found == kernels_.end()) throw Error("a candidate is measured that was not prepared");
        const jit::CompiledKernel& kernel = found->second;
        if (!kernel.error.empty()) throw CompileError(to_string(trial.configuration), kernel.error);
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
