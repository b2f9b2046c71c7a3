#pragma once

#include "tuner/core/device_info.h"

namespace redtune::test_support {

/// Returns an H200 with the properties that its driver reports.
inline DeviceInfo h200() {
    DeviceInfo device;
    device.name = "NVIDIA H200";
    device.compute_major = 9;
    device.sm_count = 132;
    device.memory_bytes = 150'110'011'392;
    device.l2_bytes = 60 << 20;
    device.peak_gb_per_s = 4813.8;
    device.uuid = "GPU-00000000-0000-0000-0000-000000000000";
    return device;
}

}  // namespace redtune::test_support
