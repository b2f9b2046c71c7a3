#include "tuner/timing/plausibility.h"

#include <fmt/format.h>

#include "tuner/timing/constants.h"

namespace redtune::timing {

void judge_plausibility(Measurement& measurement, std::uint64_t input_bytes, Regime regime, const Ceilings& ceilings) {
    if (measurement.status != Status::ok) return;
    const double time_us = measurement.median_us;
    const double gb_per_s = time_us > 0 ? static_cast<double>(input_bytes) / time_us * 1e-3 : 0;
    const double ceiling = regime == Regime::warm ? ceilings.l2_gb_per_s : ceilings.memory_gb_per_s;
    if (time_us <= 0) {
        measurement.reason = "the median is zero";
    } else if (ceiling > 0 && gb_per_s > ceiling) {
        measurement.reason = fmt::format("{:.0f} GB/s is more than the {} can give ({:.0f} GB/s)", gb_per_s,
                                         regime == Regime::warm ? "L2 cache" : "memory", ceiling);
    } else if (time_us < measurement.floor_us * (1 - floor_margin)) {
        measurement.reason =
            fmt::format("{:.4f} us is less than empty kernels take ({:.4f} us)", time_us, measurement.floor_us);
    } else {
        return;
    }
    measurement.status = Status::implausible;
}

}  // namespace redtune::timing
