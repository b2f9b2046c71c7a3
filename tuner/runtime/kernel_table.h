#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "tuner/core/launch_rule.h"
#include "tuner/launch/loaded_kernel.h"

namespace redtune::runtime {

/// The loaded kernels of a reducer, by the launch rule of their configuration. Any number of threads may call find()
/// while one thread calls add().
class KernelTable {
  public:
    KernelTable();
    KernelTable(const KernelTable&) = delete;
    KernelTable& operator=(const KernelTable&) = delete;

    /// Returns the kernels of the configuration with this rule; null if they are not loaded. The rule is compared by
    /// its address. Takes no lock and allocates nothing.
    const launch::LoadedKernel* find(const LaunchRule* rule) const noexcept;

    /// Adds a configuration's kernels. Not thread-safe towards other calls of add().
    void add(const LaunchRule* rule, const launch::LoadedKernel& kernel);

  private:
    struct Entry {
        const LaunchRule* rule;
        const launch::LoadedKernel* kernel;
    };
    using Entries = std::vector<Entry>;  // ascending by rule

    std::vector<std::unique_ptr<const launch::LoadedKernel>> kernels_;
    std::vector<std::unique_ptr<const Entries>> versions_;  // readers may still use an earlier one
    std::atomic<const Entries*> current_;
};

}  // namespace redtune::runtime
