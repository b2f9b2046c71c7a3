#include "tuner/search/gpu_capabilities.h"

#include <fmt/format.h>

#include <algorithm>

#include "redtune/version.h"
#include "tuner/core/parallel.h"
#include "tuner/core/size_list.h"
#include "tuner/gpu/nvrtc.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

GpuCapabilities::GpuCapabilities(const gpu::Device& device, const Problem& problem)
    : device_(device.info),
      problem_(problem),
      toolchain_{REDTUNE_VERSION, gpu::Nvrtc::get().version(), device.driver_version} {}

std::optional<std::string> GpuCapabilities::refuses(std::uint64_t n, Regime) const {
    const Shape shape = shape_of(problem_);
    if (n % shape.unit() != 0) return fmt::format("it is not a whole number of rows of {}", shape.unit());
    // Each result is stored in at most three copies, and has two reference values of type double.
    const std::uint64_t result_bytes = result_count(problem_, n) * (3 * size_of(problem_.output) + 2 * sizeof(double));
    const std::uint64_t bytes = bytes_read(problem_, n) + (shape.kind() == ShapeKind::whole ? 0 : result_bytes);
    // Input and results may take half of the memory. The other half is for the next input of the rotation or the exact
    // values, the cache flush buffer, and other processes.
    if (bytes <= device_.memory_bytes / 2) return std::nullopt;
    return fmt::format(
        "input and results of {} elements are {:.1f} GiB; the device has {} GiB, half of which they may use",
        format_size(n), static_cast<double>(bytes) / (1 << 30), device_.memory_gib());
}

double GpuCapabilities::screening_seconds(std::uint64_t n) const {
    // Updating a graph, checking results and reading clocks take about this long at every size (measured on an H100).
    constexpr double overhead_s = 2e-3;
    const double peak = device_.peak_gb_per_s > 0 ? device_.peak_gb_per_s : 1000;
    // Trials reach about half of the peak on average, since many are far from the best.
    const double call_s = static_cast<double>(bytes_read(problem_, n)) / (peak * 1e9 / 2);
    // About half of the trials are stopped early, after two samples.
    constexpr double mean_samples = (timing::screen_samples + timing::early_stop_samples) / 2.0;
    return overhead_s + mean_samples * std::max(timing::screen_graph_us * 1e-6, call_s) + 4 * call_s;
}

double GpuCapabilities::compile_seconds() const {
    // Measured on a machine with an H200 and 16 cores: 1,369 kernels took 20 s.
    constexpr double one_kernel_s = 0.23;
    return one_kernel_s / one_thread_per_core();
}

}  // namespace redtune::search
