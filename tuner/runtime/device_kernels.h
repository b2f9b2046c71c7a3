#pragma once

#include <optional>

#include "redtune/problem.h"
#include "redtune/reducer.h"
#include "tuner/runtime/current_device.h"
#include "tuner/runtime/prepared_kernels.h"

namespace redtune::runtime {

/// A CUDA context and the kernels that a reducer has loaded in it. Graphs that recorded the reducer's calls share it,
/// so that it may outlive the reducer.
class DeviceKernels {
  public:
    /// Takes the current context.
    DeviceKernels(const Problem& problem, const ReducerOptions& options) {
        kernels_.emplace(problem, device_, options);
    }
    /// Unloads the kernels. Any context may be current.
    ~DeviceKernels();
    DeviceKernels(const DeviceKernels&) = delete;
    DeviceKernels& operator=(const DeviceKernels&) = delete;

    const CurrentDevice& device() const noexcept { return device_; }
    PreparedKernels& kernels() noexcept { return *kernels_; }

  private:
    CurrentDevice device_;
    std::optional<PreparedKernels> kernels_;
};

}  // namespace redtune::runtime
