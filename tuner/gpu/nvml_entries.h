#pragma once

#include <nvml.h>

namespace redtune::gpu {

/// The functions of NVML that redtune calls. A pointer is null if the opened library does not export the function. The
/// types are written out instead of taken from nvml.h, because newer headers mark some of these functions as deprecated
/// in favour of functions that many installed drivers do not have.
struct NvmlEntries {
    nvmlReturn_t (*init)() = nullptr;
    const char* (*error_string)(nvmlReturn_t) = nullptr;
    nvmlReturn_t (*driver_version)(char*, unsigned) = nullptr;
    nvmlReturn_t (*handle_by_uuid)(const char*, nvmlDevice_t*) = nullptr;
    nvmlReturn_t (*card_of_mig_slice)(nvmlDevice_t, nvmlDevice_t*) = nullptr;
    nvmlReturn_t (*clock)(nvmlDevice_t, nvmlClockType_t, unsigned*) = nullptr;
    nvmlReturn_t (*max_clock)(nvmlDevice_t, nvmlClockType_t, unsigned*) = nullptr;
    nvmlReturn_t (*temperature)(nvmlDevice_t, nvmlTemperatureSensors_t, unsigned*) = nullptr;
    nvmlReturn_t (*power_mw)(nvmlDevice_t, unsigned*) = nullptr;
    nvmlReturn_t (*throttle_reasons)(nvmlDevice_t, unsigned long long*) = nullptr;
    nvmlReturn_t (*bus_width)(nvmlDevice_t, unsigned*) = nullptr;
    nvmlReturn_t (*ecc_mode)(nvmlDevice_t, nvmlEnableState_t*, nvmlEnableState_t*) = nullptr;
    nvmlReturn_t (*mig_mode)(nvmlDevice_t, unsigned*, unsigned*) = nullptr;
};

}  // namespace redtune::gpu
