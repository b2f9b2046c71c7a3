#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "redtune/call_status.h"
#include "redtune/reducer.h"
#include "tuner/runtime/configurations.h"
#include "tuner/runtime/device_kernels.h"
#include "tuner/runtime/workspace_pool.h"

namespace redtune::runtime {

/// A reduction on one device: what a redtune::Reducer consists of. See redtune/reducer.h.
class Reduction {
  public:
    Reduction(const Problem& problem, const ReducerOptions& options)
        : problem_(checked(problem)),
          loaded_(std::make_shared<DeviceKernels>(problem, options)),
          configurations_(problem, loaded_->device(), loaded_->kernels(), options),
          workspaces_(options.workspaces),
          pool_(make_pool()) {}

    void prepare(std::uint64_t first, std::uint64_t last);
    void prepare_device_count(std::uint64_t most);
    /// @param workspace null: one of the pool
    CallStatus reduce(const InputArrays& input, std::uint64_t n, void* output, Stream stream,
                      const Workspace* workspace) noexcept;
    CallStatus reduce(const InputArrays& input, const Extents& extents, void* output, Stream stream,
                      const Workspace* workspace) noexcept;
    CallStatus reduce(const InputArrays& input, const DeviceCount& count, void* output, Stream stream,
                      const Workspace* workspace) noexcept;

    Configurations& configurations() noexcept { return configurations_; }
    const Configurations& configurations() const noexcept { return configurations_; }
    WorkspacePool& pool() noexcept { return *pool_; }
    void pin(std::string_view family, const std::vector<Parameter>& parameters);

  private:
    /// Returns the problem. @throws InputError if it has rows and columns
    static const Problem& checked(const Problem& problem);
    std::unique_ptr<WorkspacePool> make_pool() const {
        const WorkspaceLayout& layout = configurations_.layout();
        return std::make_unique<WorkspacePool>(layout.bytes, layout.zeroed_bytes, workspaces_, loaded_);
    }
    CallStatus check(const InputArrays& input, std::uint64_t n, const void* output) const noexcept;
    CallStatus check(const DeviceCount& count) const noexcept;
    CallStatus check(const Extents& extents) const noexcept;
    /// Makes a call whose arguments have been checked. count: null if the extents have the number of elements; else
    /// they have its upper bound.
    CallStatus make_call(const InputArrays& input, const Extents& extents, const launch::DeviceCount* count,
                         void* output, Stream stream, const Workspace* workspace) noexcept;

    Problem problem_;
    std::shared_ptr<DeviceKernels> loaded_;
    Configurations configurations_;
    std::uint32_t workspaces_;
    std::unique_ptr<WorkspacePool> pool_;
};

}  // namespace redtune::runtime
