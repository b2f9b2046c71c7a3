#include "tuner/report/profiled_calls.h"

#include <fmt/format.h>

#include <vector>

#include "redtune/error.h"
#include "tuner/core/statistics.h"
#include "tuner/report/raw_page.h"

namespace redtune::report {

search::ProfiledCall parse_profiled_calls(std::string_view output, std::uint32_t calls) {
    constexpr double us_per_ns = 1e-3;  // the metric's base unit is the nanosecond
    const RawPage page(output);
    const std::size_t launches = page.launches() / calls;
    if (launches * calls != page.launches()) {
        throw InputError(
            fmt::format("Nsight Compute printed {} launches, which are not those of {} calls", page.launches(), calls));
    }
    std::vector<double> times_us;
    for (std::size_t call = discarded_calls; call < calls; ++call) {
        double us = 0;
        for (std::size_t i = call * launches; i < (call + 1) * launches; ++i) {
            const auto ns = page.number(i, duration_metric);
            if (!ns || *ns <= 0) throw InputError("Nsight Compute printed a launch without a duration");
            us += *ns * us_per_ns;
        }
        times_us.push_back(us);
    }
    return {median(times_us), static_cast<int>(launches)};
}

}  // namespace redtune::report
