#pragma once

#include <string>
#include <vector>

#include "tuner/cli/device_choice.h"

namespace redtune::cli {

/// The devices that a command works on at the same time.
struct DeviceList {
    std::vector<DeviceChoice> devices;
    std::vector<std::string> labels;  ///< what people read for each: "GPU 0", "replay:nvidia-h200"
    bool is_list = false;             ///< true: the argument is a list or "all", and each device needs its own process
};

/// Returns the devices that a --device argument names: "all" GPUs of this machine, several with commas between them
/// (0,2,3), or one, as choose_device() reads it. A recording may be listed several times; its replays then act as
/// several GPUs.
/// @throws InputError for a text that names no device or a GPU twice; DeviceError for a GPU that is not there.
DeviceList choose_devices(const std::string& text);

}  // namespace redtune::cli
