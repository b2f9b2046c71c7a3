#pragma once

#include <cstddef>
#include <string>

#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_loader.h"
#include "tuner/search/capable_executor.h"
#include "tuner/search/gpu_capabilities.h"

namespace redtune::search {

/// Compiles kernels for a GPU into the cache while another process measures on it. It leaves some cores to that process
/// and yields the others to whoever wants them. It needs no GPU and measures nothing: measure(), compare() and
/// use_data() throw Error.
class CompilingExecutor final : public CapableExecutor {
  public:
    /// Returns how many processes should compile at a time beside one that measures; 0 if this process may use too few
    /// cores.
    static std::size_t most_at_a_time();

    /// Gives the calling thread, and the threads that it starts, low priority and a part of the cores for good. So it
    /// is for a process that does nothing else.
    /// `sources` and `cache` must outlive the executor.
    /// @param architecture for which it compiles: sm_90
    /// @throws DeviceError if NVRTC is not available.
    CompilingExecutor(const std::string& architecture, const Problem& problem, const jit::SourceSet& sources,
                      jit::CubinCache& cache);

    /// As Executor::prepare(). @throws Error if the cache takes no entries, so that no other process gets the kernels
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop) override;

    void use_data(const timing::Data& data) override;
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override;

  private:
    jit::CubinCache& cache_;
    jit::Compiler compiler_;
    std::vector<Family> families_;
    launch::KernelLoader loader_;
};

}  // namespace redtune::search
