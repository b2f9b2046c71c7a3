#include "tuner/timing/early_stop.h"

#include <algorithm>

#include "tuner/timing/constants.h"

namespace redtune::timing {

bool is_hopeless(std::span<const double> samples_us, double best_us) {
    if (best_us <= 0 || samples_us.size() < early_stop_samples) return false;
    return *std::min_element(samples_us.begin(), samples_us.end()) > early_stop_cutoff * best_us;
}

bool is_hopeless_call(double call_us, double best_us) {
    return best_us > 0 && call_us > short_call_us && call_us > early_stop_call_cutoff * best_us;
}

bool is_hopeless_twice(double call_us, double best_us, const std::function<double()>& call_again) {
    return is_hopeless_call(call_us, best_us) && is_hopeless_call(call_again(), best_us);
}

}  // namespace redtune::timing
