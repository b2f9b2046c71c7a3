#include "tuner/bench/give_up.h"

#include <algorithm>

#include "tuner/bench/constants.h"

namespace redtune::bench {

bool is_hopeless(std::span<const double> samples_us, double best_us) {
    if (best_us <= 0 || samples_us.size() < give_up_samples) return false;
    return *std::min_element(samples_us.begin(), samples_us.end()) > give_up_cutoff * best_us;
}

bool is_hopeless_call(double call_us, double best_us) {
    return best_us > 0 && call_us > short_call_us && call_us > give_up_call_cutoff * best_us;
}

}  // namespace redtune::bench
