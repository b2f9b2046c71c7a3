#pragma once

#include <memory>
#include <utility>

#include "tuner/search/executor.h"

namespace redtune::search {

/// The base of executors whose capabilities are those of another object.
class CapableExecutor : public Executor {
  public:
    const DeviceInfo& device() const final { return capabilities_->device(); }
    const ToolchainInfo& toolchain() const final { return capabilities_->toolchain(); }
    std::string source() const final { return capabilities_->source(); }
    std::optional<std::string> refuses(std::uint64_t n, Regime regime) const final {
        return capabilities_->refuses(n, regime);
    }
    std::optional<std::string> refuses_family(const std::string& family, std::span<const std::uint64_t> sizes,
                                              std::span<const Regime> regimes) const final {
        return capabilities_->refuses_family(family, sizes, regimes);
    }
    bool offers(const Trial& trial, std::uint64_t n, Regime regime) const final {
        return capabilities_->offers(trial, n, regime);
    }
    bool offers_data(const timing::Data& data) const final { return capabilities_->offers_data(data); }
    double screening_seconds(std::uint64_t n) const final { return capabilities_->screening_seconds(n); }
    double compile_seconds() const final { return capabilities_->compile_seconds(); }

  protected:
    explicit CapableExecutor(std::shared_ptr<const Capabilities> capabilities)
        : capabilities_(std::move(capabilities)) {}
    /// @param capabilities must outlive the executor
    explicit CapableExecutor(const Capabilities& capabilities)
        : capabilities_(std::shared_ptr<void>(), &capabilities) {}

    const std::shared_ptr<const Capabilities>& capabilities() const { return capabilities_; }

  private:
    std::shared_ptr<const Capabilities> capabilities_;
};

}  // namespace redtune::search
