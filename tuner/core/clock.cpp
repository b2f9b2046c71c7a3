#include "tuner/core/clock.h"

#include <fmt/chrono.h>

#include <chrono>

namespace redtune {

std::string utc_now() {
    return utc_text(std::chrono::system_clock::now());
}

std::string utc_text(std::chrono::system_clock::time_point time) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

}  // namespace redtune
