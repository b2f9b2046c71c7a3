#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// A device that a --device argument may name.
struct KnownDevice {
    std::string name;       ///< as the driver gives it: "NVIDIA H200"
    int ordinal = -1;       ///< of a GPU of this machine; -1: none of this machine
    std::string recording;  ///< the name of the recording that replays it; empty: none
};

/// Returns the GPUs of this machine by ordinal, then the recorded devices.
std::vector<KnownDevice> known_devices();

/// Returns the device that `text` names, in any case and with any separators: its ordinal ("0"), "replay:" and a part
/// of a recording's name, or a part of a device's name that no other device has ("h200"). A whole name goes before a
/// part of one, and the first of several devices of one name before the others. Empty where no device is meant.
/// @throws InputError with the names that fit, where they are several
std::optional<KnownDevice> find_device(std::string_view text, const std::vector<KnownDevice>& known);

/// @throws DeviceError with what there is, if the text is the number of a GPU. For a text that find_device() found
/// nothing for.
void refuse_missing_gpu(std::string_view text, const std::vector<KnownDevice>& known);

/// Returns what a --device argument may be, for a message: `0 ("NVIDIA H200"), replay:nvidia-h200 ("NVIDIA H200")`.
std::string list_devices_for_people(const std::vector<KnownDevice>& known);

/// Returns "; did you mean 'h200'?" for a text that is near to the name of a device or to a word of one, else nothing.
std::string suggest_device(std::string_view text, const std::vector<KnownDevice>& known);

}  // namespace redtune::cli
