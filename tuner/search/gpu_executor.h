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
    /// `largest_n`: the most elements that will be asked for. `cache` holds the cubins.
    /// @throws DeviceError if the device, NVRTC or the memory cannot be had.
    GpuExecutor(const gpu::Device& device, const Problem& problem, std::uint64_t largest_n,
                const jit::SourceSet& sources, jit::CubinCache& cache);
    ~GpuExecutor() override;

    const DeviceInfo& device() const override { return device_.info; }
    const ToolchainInfo& toolchain() const override { return toolchain_; }
    std::string source() const override { return "gpu"; }
    std::optional<std::string> refuses(std::uint64_t n, Regime regime) const override;
    bool offers(const Trial&, std::uint64_t, Regime) const override { return true; }
    double screening_seconds(std::uint64_t n) const override;
    double compile_seconds() const override;
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop) override;
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;
    /// The first kernel of a trial alone, as long as a survivor. Its results are partial: measure() judges the trial.
    Measurement measure_first_launch(const Trial& trial, std::uint64_t n, Regime regime);
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime) override;

  private:
    /// Memory, kernels and clocks of the device. Made when first needed: showing a plan needs none of it.
    struct Bench;
    Bench& bench();
    /// What is wrong with the candidate becomes the measurement's status. @throws DeviceError if the device is lost.
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
    std::map<std::string, std::optional<std::string>> hard_sizes_;  ///< verdicts by configuration
    std::unique_ptr<Bench> bench_;
};

}  // namespace redtune::search
