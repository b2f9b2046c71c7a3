#include "tuner/runtime/kernel_table.h"

#include <algorithm>
#include <functional>

namespace redtune::runtime {

KernelTable::KernelTable() {
    current_ = versions_.emplace_back(std::make_unique<const Entries>()).get();
}

const launch::LoadedKernel* KernelTable::find(const LaunchRule* rule) const noexcept {
    const Entries& entries = *current_.load(std::memory_order_acquire);
    const auto found = std::lower_bound(
        entries.begin(), entries.end(), rule,
        [](const Entry& entry, const LaunchRule* wanted) { return std::less<>()(entry.rule, wanted); });
    return found != entries.end() && found->rule == rule ? found->kernel : nullptr;
}

void KernelTable::add(const LaunchRule* rule, const launch::LoadedKernel& kernel) {
    const auto* kept = kernels_.emplace_back(std::make_unique<const launch::LoadedKernel>(kernel)).get();
    auto entries = std::make_unique<Entries>(*versions_.back());
    const auto at = std::find_if(entries->begin(), entries->end(),
                                 [&](const Entry& entry) { return std::less<>()(rule, entry.rule); });
    entries->insert(at, {rule, kept});
    current_.store(versions_.emplace_back(std::move(entries)).get(), std::memory_order_release);
}

}  // namespace redtune::runtime
