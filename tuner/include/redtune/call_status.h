#pragma once

#include <cstdint>
#include <string_view>

#include "redtune/export.h"

namespace redtune {

/// The result of a call that is made often and therefore returns a status instead of throwing. last_error() has the
/// reason in words.
enum class [[nodiscard]] CallStatus : std::uint8_t{
    ok,
    invalid_argument,  ///< a null pointer, a pointer that is not aligned to one element, or an n that the problem has
                       ///< not
    no_configuration,  ///< no kernel can reduce this n on this device within the options
    not_prepared,      ///< the stream is being captured, and the kernel for this n is not loaded: prepare it before
    workspace_too_small,  ///< the caller's workspace has fewer than workspace_bytes()
    out_of_workspaces,    ///< all workspaces of the pool are in use
    wrong_context,        ///< the current CUDA context is not the one that the reducer was made in
    kernel_unavailable,   ///< the kernel for this n could not be compiled or loaded
    device_error          ///< the driver refused a call
};

/// Returns the enumerator's name: "not_prepared".
REDTUNE_EXPORT std::string_view to_string(CallStatus status) noexcept;

/// Returns the reason for the last status of the calling thread that was not `ok`; empty if there was none. The text
/// stays valid until the thread's next such status.
REDTUNE_EXPORT std::string_view last_error() noexcept;

}  // namespace redtune
