#pragma once

#include <exception>

#include "redtune.h"
#include "redtune/call_status.h"
#include "redtune/error.h"
#include "tuner/runtime/fail.h"

namespace redtune::runtime {

/// Keeps the reason for redtune_last_error() and returns the status.
inline redtune_status fail_in_c(redtune_status status, const char* why) noexcept {
    // The reason is what is kept; the C++ status of it is not looked at.
    static_cast<void>(fail(CallStatus::device_error, why));
    return status;
}

/// Calls `work` and returns the status that belongs to the exception it throws.
template <class Work>
redtune_status guarded(const Work& work) noexcept {
    try {
        return work();
    } catch (const InputError& error) {
        return fail_in_c(REDTUNE_INVALID_ARGUMENT, error.what());
    } catch (const CompileError& error) {
        return fail_in_c(REDTUNE_KERNEL_UNAVAILABLE, error.what());
    } catch (const DeviceError& error) {
        return fail_in_c(REDTUNE_DEVICE_ERROR, error.what());
    } catch (const DatabaseError& error) {
        return fail_in_c(REDTUNE_DATABASE_ERROR, error.what());
    } catch (const std::exception& error) {
        return fail_in_c(REDTUNE_FAILED, error.what());
    } catch (...) {
        return fail_in_c(REDTUNE_FAILED, "an unknown error");
    }
}

}  // namespace redtune::runtime
