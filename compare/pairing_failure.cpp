#include "compare/pairing_failure.h"

#include <fmt/format.h>

#include "tuner/timing/constants.h"

namespace redtune::compare {

std::string pairing_failure(const Measurement& measurement, std::size_t rounds) {
    if (measurement.status != Status::ok)
        return fmt::format("{}: {}", to_string(measurement.status), measurement.reason);
    if (measurement.samples_us.size() == rounds) return {};
    return fmt::format("throttled: the SM clock fell below {} of nominal in some rounds", timing::throttle_limit);
}

}  // namespace redtune::compare
