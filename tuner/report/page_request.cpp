#include "tuner/report/page_request.h"

#include <algorithm>

namespace redtune::report {

bool PageFilter::selects(const std::string& device_name, const Problem& problem) const {
    return (!device || *device == device_name) && (!is_problem || is_problem(problem));
}

bool PageFilter::selects(Regime regime, std::uint64_t n) const {
    return (regimes.empty() || std::ranges::find(regimes, regime) != regimes.end()) && (!is_size || is_size(n));
}

}  // namespace redtune::report
