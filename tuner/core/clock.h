#pragma once

#include <chrono>
#include <string>

namespace redtune {

/// Returns the current time as "2026-11-20T13:47:05Z".
std::string utc_now();

/// Returns a time as the same kind of text.
std::string utc_text(std::chrono::system_clock::time_point time);

}  // namespace redtune
