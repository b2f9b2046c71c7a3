#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "tuner/gpu/context.h"
#include "tuner/gpu/device.h"
#include "tuner/gpu/nvml.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_loader.h"
#include "tuner/search/executor.h"
#include "tuner/timing/checker.h"
#include "tuner/timing/timer.h"

namespace redtune::search {

/// Measures on a GPU, in this process.
class GpuExecutor final : public Executor {
  public:
    /// `largest_n`: the most elements that will be measured. `cache` holds the cubins. `sources` and `cache` must
    /// outlive the executor.
    /// @throws DeviceError if the device, NVRTC or the memory is not available.
    GpuExecutor(const gpu::Device& device, const Problem& problem, std::uint64_t largest_n,
                const jit::SourceSet& sources, jit::CubinCache& cache);
    ~GpuExecutor() override;

    const DeviceInfo& device() const override { return device_.info; }
    const ToolchainInfo& toolchain() const override { return toolchain_; }
    std::string source() const override { return "gpu"; }
    std::optional<std::string> refuses(std::uint64_t n, Regime regime) const override;
    std::optional<std::string> refuses_family(const std::string&, std::span<const std::uint64_t>,
                                              std::span<const Regime>) const override {
        return std::nullopt;
    }
    bool offers(const Trial&, std::uint64_t, Regime) const override { return true; }
    double screening_seconds(std::uint64_t n) const override;
    double compile_seconds() const override;
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop) override;
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;
    /// Times the first kernel of a trial alone, with as many samples as a survivor. Its partial results are not
    /// checked: measure() checks the trial.
    Measurement measure_first_launch(const Trial& trial, std::uint64_t n, Regime regime);
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime) override;

  private:
    /// Memory, kernels and clocks of the device. It is made when it is first needed, because a plan needs none of it.
    struct Bench;
    Bench& bench();
    /// Returns the measurement, or one with the status of the error if the trial failed.
    /// @throws DeviceError if the device is lost.
    Measurement guarded(const std::function<Measurement()>& measure) const;
    launch::LoadedKernel load(const Trial& trial);
    const std::optional<std::string>& hard_sizes_verdict(const Trial& trial, const launch::LoadedKernel& loaded_kernel);

    gpu::Device device_;
    Problem problem_;
    std::uint64_t largest_n_;
    ToolchainInfo toolchain_;
    gpu::Context context_;
    jit::Compiler compiler_;
    std::vector<Family> families_;
    launch::KernelLoader loader_;
    /// By configuration: what is wrong with its results; empty if nothing is.
    std::map<std::string, std::optional<std::string>> hard_sizes_;
    std::unique_ptr<Bench> bench_;
};

}  // namespace redtune::search
