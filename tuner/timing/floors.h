#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <span>
#include <vector>

#include "redtune/launch_plan.h"
#include "tuner/gpu/graph.h"
#include "tuner/gpu/stream.h"
#include "tuner/timing/support_kernels.h"
#include "tuner/timing/time_account.h"
#include "tuner/timing/timed_graph.h"

namespace redtune::timing {

/// Measures the floors of launch plans: the time of one call's launches with empty kernels, which no kernel that is
/// launched so can beat. Not thread-safe.
class Floors {
  public:
    /// A floor to measure.
    struct Request {
        LaunchPlan plan;
        std::uint32_t calls = 0;  ///< number of calls in one graph
    };

    /// All references must outlive the object.
    /// @param account counts the time of the preparations; null: nothing does
    Floors(const SupportKernels& kernels, TimingBuffers& buffers, gpu::Stream& stream, TimeAccount* account)
        : kernels_(kernels), buffers_(buffers), stream_(stream), account_(account) {}

    /// Returns a floor in microseconds. It is measured once for each number of calls and shape of launches.
    double us(const Request& request);

    /// A scope guard: captures the graphs that us() of some requests will need, in another thread. For any error they
    /// are captured again by us().
    class Ahead {
      public:
        Ahead(Floors& floors, std::span<const Request> requests);
        Ahead(const Ahead&) = delete;
        Ahead& operator=(const Ahead&) = delete;
        ~Ahead() { wait(); }

        /// Waits until they are captured. us() may be called afterwards only.
        void wait();

      private:
        Floors& floors_;
        std::future<void> captured_;
    };

  private:
    /// The number of calls and the shapes of their launches. Requests with the same key have the same floor.
    using Key = std::vector<std::uint32_t>;

    static Key key_of(const Request& request);
    gpu::Graph capture(const Request& request, gpu::Stream& stream) const;
    void capture_missing(std::span<const Request> requests);

    const SupportKernels& kernels_;
    TimingBuffers& buffers_;
    gpu::Stream& stream_;
    TimeAccount* account_;
    gpu::Stream ahead_;  ///< for captures while stream_ may be in use
    std::map<Key, double> floors_;
    std::map<Key, gpu::Graph> captured_;  ///< not measured yet
};

}  // namespace redtune::timing
