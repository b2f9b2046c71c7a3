#pragma once

#include <string>

#include "redtune/device.h"

namespace redtune {

/// The versions of the software that compiled and ran a kernel.
struct ToolchainInfo {
    std::string redtune_version;
    std::string nvrtc_version;   ///< "13.0"
    std::string driver_version;  ///< "580.159.04"

    friend bool operator==(const ToolchainInfo&, const ToolchainInfo&) = default;
};

}  // namespace redtune
