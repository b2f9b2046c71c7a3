#include "tuner/launch/kernel_loader.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "redtune/error.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::launch {

jit::KernelName KernelLoader::name_of(const KernelRequest& request, KernelRole role) const {
    return kernel_name(jit::find_family(families_, request.family), problem_, request, role);
}

void KernelLoader::prepare(std::span<const KernelRequest> requests,
                           const std::function<void(const jit::CompileCounts&)>& progress,
                           const std::atomic<bool>* stop) {
    std::set<jit::KernelName> wanted;
    for (const KernelRequest& request : requests) {
        for (const KernelRole role : roles_of(*request.rule)) {
            jit::KernelName name = name_of(request, role);
            if (!kernels_.contains(name)) wanted.insert(std::move(name));
        }
    }
    if (wanted.empty()) return;
    const std::vector<jit::KernelName> names(wanted.begin(), wanted.end());
    std::vector<jit::CompiledKernel> compiled = compiler_.compile(names, progress, stop);
    if (stop != nullptr && *stop) return;
    for (std::size_t i = 0; i < names.size(); ++i) kernels_[names[i]] = std::move(compiled[i]);
}

bool KernelLoader::is_compiled(const KernelRequest& request) {
    return std::ranges::all_of(roles_of(*request.rule), [&](KernelRole role) {
        const jit::KernelName name = name_of(request, role);
        if (kernels_.contains(name)) return true;
        auto found = compiler_.find(name);
        if (found) kernels_[name] = std::move(*found);
        return found.has_value();
    });
}

LoadedKernel KernelLoader::load(const KernelRequest& request) {
    prepare({&request, 1});
    LoadedKernel loaded;
    loaded.rule = *request.rule;
    loaded.destructive = jit::find_family(families_, request.family).destructive;
    for (const KernelRole role : roles_of(loaded.rule)) {
        const jit::CompiledKernel& compiled = kernels_.at(name_of(request, role));
        if (!compiled.error.empty()) {
            const std::vector<Parameter> parameters(request.parameters.begin(), request.parameters.end());
            throw CompileError(to_string(Configuration{std::string(request.family), parameters}), compiled.error);
        }
        std::unique_ptr<gpu::Module>& module = modules_[compiled.cubin.get()];
        if (module == nullptr) module = std::make_unique<gpu::Module>(*compiled.cubin);
        const CUfunction function = module->function(compiled.symbol);
        loaded.kernels[static_cast<std::size_t>(role)] = function;
        if (role != KernelRole::first) continue;
        loaded.resources = compiled.resources;
        gpu::Module::allow_launches(function, loaded.rule.shared_bytes, loaded.rule.cluster);
    }
    return loaded;
}

}  // namespace redtune::launch
