#pragma once

#include <string>

namespace redtune {

/// Returns the current time as "2026-11-20T13:47:05Z".
std::string utc_now();

}  // namespace redtune
