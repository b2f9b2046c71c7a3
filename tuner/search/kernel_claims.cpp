#include "tuner/search/kernel_claims.h"

#include <algorithm>

#include "tuner/jit/source_set.h"
#include "tuner/launch/instantiation.h"

namespace redtune::search {

std::string kernel_of(const Configuration& configuration, const std::vector<Family>& families) {
    const Family& family = jit::find_family(families, configuration.family);
    return family.name + "<" + launch::instantiation_of(family, configuration.parameters) + ">";
}

KernelClaims::Claim::Claim(KernelClaims& claims, std::span<const Trial> trials) : claims_(claims) {
    const std::lock_guard lock(claims_.mutex_);
    for (const Trial& trial : trials) {
        std::string kernel = kernel_of(trial.configuration, claims_.families_);
        const bool is_own = kernels_.contains(kernel);
        if (!is_own && !claims_.claimed_.insert(kernel).second) continue;
        kernels_.insert(std::move(kernel));
        trials_.push_back(trial);
    }
}

KernelClaims::Claim::~Claim() {
    {
        const std::lock_guard lock(claims_.mutex_);
        for (const std::string& kernel : kernels_) claims_.claimed_.erase(kernel);
    }
    claims_.released_.notify_all();
}

void KernelClaims::wait_for(std::span<const Trial> trials) {
    std::set<std::string> kernels;
    for (const Trial& trial : trials) kernels.insert(kernel_of(trial.configuration, families_));
    std::unique_lock lock(mutex_);
    released_.wait(lock, [&] {
        return std::ranges::none_of(kernels, [&](const std::string& kernel) { return claimed_.contains(kernel); });
    });
}

}  // namespace redtune::search
