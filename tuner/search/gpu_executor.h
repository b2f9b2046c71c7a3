#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuner/gpu/context.h"
#include "tuner/gpu/device.h"
#include "tuner/gpu/nvml.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_loader.h"
#include "tuner/search/capable_executor.h"
#include "tuner/search/gpu_capabilities.h"
#include "tuner/timing/checker.h"
#include "tuner/timing/timer.h"

namespace redtune::search {

/// Measures trials on a GPU, in this process.
class GpuExecutor final : public CapableExecutor {
  public:
    /// @param largest_n the largest number of elements that will be measured
    /// @param cache stores the compiled cubins
    /// `sources` and `cache` must outlive the executor.
    /// @throws DeviceError if the device, NVRTC or enough memory is not available.
    GpuExecutor(const gpu::Device& device, const Problem& problem, std::uint64_t largest_n,
                const jit::SourceSet& sources, jit::CubinCache& cache);
    ~GpuExecutor() override;

    void use_data(const timing::Data& data) override;
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop) override;
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;
    void skip_hard_sizes(const Trial& trial) override;
    void expect(const Trial& trial, std::uint64_t n, Regime regime, Stage stage) override;
    /// Times the first kernel of a trial alone, with as many samples as a survivor. Its partial results are not
    /// checked: measure() checks the trial.
    Measurement measure_first_launch(const Trial& trial, std::uint64_t n, Regime regime);
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override;
    timing::TimeSpent take_spent() override { return account_.take_spent(); }

  private:
    /// The device objects that every measurement needs: inputs, support kernels, checker and timer.
    struct BenchmarkContext;
    /// The arguments of a call of measure().
    struct Call {
        Trial trial;
        timing::Cell cell;
        Stage stage = Stage::screen;
        friend bool operator==(const Call&, const Call&) = default;
    };
    /// A call with the kernel and the graph that it runs.
    struct PreparedCall;
    /// Prepares a call in another thread.
    class Preparation;
    /// Returns the benchmark context. The first call creates it, so that planning a sweep allocates no device memory.
    BenchmarkContext& benchmark();
    /// Calls `measure` and returns its measurement. If it throws because the trial failed, returns a measurement with
    /// the status and the reason of the error.
    /// @throws DeviceError if the device is lost.
    Measurement measure_or_failure(Stage stage, const std::function<Measurement()>& measure);
    std::optional<std::string> check(const Trial& trial, const launch::LoadedKernel& loaded_kernel, std::uint64_t n);
    Measurement measure(PreparedCall& prepared, const std::optional<Call>& next, double best_us);
    std::unique_ptr<PreparedCall> prepare_ahead(const Call& call);
    launch::LoadedKernel load(const Trial& trial);
    const std::optional<std::string>& hard_sizes_verdict(const Trial& trial, const launch::LoadedKernel& loaded_kernel);

    Problem problem_;
    std::uint64_t largest_n_;
    timing::Data data_;
    jit::Compiler compiler_;
    gpu::Context context_;
    std::vector<Family> families_;
    launch::KernelLoader loader_;
    /// Maps a configuration to the reason why its results at the hard sizes are wrong; empty if they are right.
    std::map<std::string, std::optional<std::string>> hard_sizes_;
    timing::TimeAccount account_;
    std::unique_ptr<BenchmarkContext> benchmark_;
    std::optional<Call> expected_;  ///< the call to prepare during the next one
    /// Prepared during the last call. Any other call drops it, because that may move the buffers whose addresses its
    /// graph has.
    std::unique_ptr<PreparedCall> prepared_;
};

}  // namespace redtune::search
