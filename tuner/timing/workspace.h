#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "redtune/launch_plan.h"
#include "tuner/gpu/buffer.h"

namespace redtune::timing {

class SupportKernels;

/// What outputs and workspaces are filled with before a call: what is left of it was not written.
inline constexpr unsigned char poison_byte = 0xA5;

/// A workspace that is poisoned before use and inspected after it. Grows as plans need; not for two streams at once.
class Workspace {
  public:
    /// Begins where the device's first block is near to it (placement.h), which `kernels` find out; with none,
    /// anywhere.
    explicit Workspace(const SupportKernels* kernels = nullptr) : kernels_(kernels) {}

    /// Makes room for the plan ahead of prepare(), which then leaves the address as it is.
    void reserve(const LaunchPlan& plan, CUstream stream);

    /// Makes room for the plan, fills it and a guard behind it with poison, then zeroes what the plan says.
    void prepare(const LaunchPlan& plan, CUstream stream);

    /// Zeroes what the plan says, for a candidate that takes over from another.
    void hand_over(const LaunchPlan& plan, CUstream stream);

    /// After the stream is idle: whether the calls left the workspace as they must. @return empty, or what is wrong.
    std::optional<std::string> inspect(const LaunchPlan& plan) const;

    CUdeviceptr address() const { return buffer_.address() + begin_; }

  private:
    const SupportKernels* kernels_;
    gpu::DeviceBuffer buffer_;
    std::uint64_t begin_ = 0;
    std::uint64_t room_ = 0;  ///< behind the begin
};

}  // namespace redtune::timing
