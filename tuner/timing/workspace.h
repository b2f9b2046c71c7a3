#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "redtune/launch_plan.h"
#include "tuner/gpu/buffer.h"

namespace redtune::timing {

class SupportKernels;

/// Outputs and workspaces are filled with this byte before a call, so that missing writes are detected.
inline constexpr unsigned char poison_byte = 0xA5;

/// A workspace that grows to the size of the largest plan, is poisoned before use and checked afterwards. Only one
/// stream may use it at a time.
class Workspace {
  public:
    /// @param kernels measure which memory is near a grid's first block (placement.h), and the workspace begins there.
    /// If null, the workspace begins anywhere.
    explicit Workspace(const SupportKernels* kernels = nullptr) : kernels_(kernels) {}

    /// Allocates memory if the workspace is too small for the plan. A later prepare() for a plan that fits does not
    /// change the address.
    void reserve(const LaunchPlan& plan, CUstream stream);

    /// Returns whether reserve() would allocate nothing.
    bool has_room(const LaunchPlan& plan) const;

    /// Calls reserve(), fills the plan's workspace and the guard bytes after it with poison, then zeroes the bytes that
    /// the plan requires to be zero.
    void prepare(const LaunchPlan& plan, CUstream stream);

    /// Zeroes the bytes that the plan requires to be zero. Call it if calls with another plan may have used the
    /// workspace.
    void zero(const LaunchPlan& plan, CUstream stream);

    /// Checks that the calls left the plan's zeroed bytes zero and the guard bytes untouched. The stream must be idle.
    /// @return empty if so, else what is wrong
    std::optional<std::string> check(const LaunchPlan& plan) const;

    CUdeviceptr address() const { return buffer_.address() + begin_; }

  private:
    const SupportKernels* kernels_;
    gpu::DeviceBuffer buffer_;
    std::uint64_t begin_ = 0;     ///< byte of the buffer where the workspace begins
    std::uint64_t capacity_ = 0;  ///< bytes from begin_ to the end of the buffer, guard bytes included
};

}  // namespace redtune::timing
