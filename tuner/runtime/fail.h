#pragma once

#include <string_view>

#include "redtune/call_status.h"

namespace redtune::runtime {

/// Keeps the reason for last_error() and returns the status.
CallStatus fail(CallStatus status, std::string_view why) noexcept;

}  // namespace redtune::runtime
