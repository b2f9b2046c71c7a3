#pragma once

#include <utility>

#include "tuner/gpu/device.h"
#include "tuner/search/capabilities.h"

namespace redtune::search {

/// The capabilities of a GPU. Opens no CUDA context, so that a process which only plans a sweep holds no memory of the
/// device.
class GpuCapabilities final : public Capabilities {
  public:
    /// The capabilities of a GPU of this machine. @throws DeviceError if NVRTC is not available.
    GpuCapabilities(const gpu::Device& device, const Problem& problem);
    /// The capabilities of a GPU of any machine, which has this toolchain.
    GpuCapabilities(DeviceInfo device, ToolchainInfo toolchain, const Problem& problem)
        : device_(std::move(device)), problem_(problem), toolchain_(std::move(toolchain)) {}

    const DeviceInfo& device() const override { return device_; }
    const ToolchainInfo& toolchain() const override { return toolchain_; }
    std::string source() const override { return "gpu"; }
    std::optional<std::string> refuses(std::uint64_t n, Regime regime) const override;
    std::optional<std::string> refuses_family(const std::string&, std::span<const std::uint64_t>,
                                              std::span<const Regime>) const override {
        return std::nullopt;
    }
    bool offers(const Trial&, std::uint64_t, Regime) const override { return true; }
    bool offers_data(const timing::Data&) const override { return true; }
    double screening_seconds(std::uint64_t n) const override;
    double compile_seconds() const override;

  private:
    DeviceInfo device_;
    Problem problem_;
    ToolchainInfo toolchain_;
};

}  // namespace redtune::search
