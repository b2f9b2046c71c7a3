#include "tuner/report/limit.h"

#include <algorithm>
#include <limits>

namespace redtune::report {

double Limit::us() const {
    double limit = std::numeric_limits<double>::infinity();
    if (one_block) limit = std::max(load_us, one_block->us);
    if (grid) limit = std::min(limit, std::max(needs_handover ? handover_us : load_us, grid->us));
    return limit;
}

}  // namespace redtune::report
