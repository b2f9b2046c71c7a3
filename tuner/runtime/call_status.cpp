#include "redtune/call_status.h"

#include <array>
#include <string>

#include "tuner/core/named.h"
#include "tuner/runtime/fail.h"

namespace redtune {

namespace {

constexpr std::array call_statuses = {Named<CallStatus>{"ok", CallStatus::ok},
                                      Named<CallStatus>{"invalid_argument", CallStatus::invalid_argument},
                                      Named<CallStatus>{"no_configuration", CallStatus::no_configuration},
                                      Named<CallStatus>{"not_prepared", CallStatus::not_prepared},
                                      Named<CallStatus>{"workspace_too_small", CallStatus::workspace_too_small},
                                      Named<CallStatus>{"out_of_workspaces", CallStatus::out_of_workspaces},
                                      Named<CallStatus>{"wrong_context", CallStatus::wrong_context},
                                      Named<CallStatus>{"kernel_unavailable", CallStatus::kernel_unavailable},
                                      Named<CallStatus>{"device_error", CallStatus::device_error}};

thread_local std::string reason;

}  // namespace

namespace runtime {

CallStatus fail(CallStatus status, std::string_view why) noexcept {
    try {
        reason = why;
    } catch (...) {
        reason.clear();
    }
    return status;
}

}  // namespace runtime

std::string_view to_string(CallStatus status) noexcept {
    return name_of(call_statuses, status);
}

std::string_view last_error() noexcept {
    return reason;
}

}  // namespace redtune
