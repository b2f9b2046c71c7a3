#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// A device that a --device argument may name.
struct KnownDevice {
    std::string name;       ///< name in the driver: "NVIDIA H200"
    int ordinal = -1;       ///< ordinal of a GPU of this machine; -1: it is not in this machine
    std::string recording;  ///< name of the device's recording; empty: there is no recording
};

/// Returns the GPUs of this machine in order of their ordinals, then the recorded devices.
std::vector<KnownDevice> known_devices();

/// Returns the device that `text` names. The text is an ordinal ("0"), "replay:" and a part of a recording's name, or a
/// part of the name of only one device ("h200"). Letter case and separators do not matter. A device whose whole name
/// equals the text is preferred to one whose name contains the text. Of several devices with the same name, the first
/// is returned. Empty if the text names no device.
/// @throws InputError with the matching names if several devices match
std::optional<KnownDevice> find_device(std::string_view text, const std::vector<KnownDevice>& known);

/// Throws if `text` is a number. Callers call this function after find_device() returned nothing, so the number is the
/// ordinal of a GPU that does not exist.
/// @throws DeviceError with the devices that exist
void refuse_missing_gpu(std::string_view text, const std::vector<KnownDevice>& known);

/// Returns the devices that a --device argument may name, for a message: `0 ("NVIDIA H200"), replay:nvidia-h200
/// ("NVIDIA H200")`.
std::string list_devices_for_people(const std::vector<KnownDevice>& known);

/// Returns "; did you mean 'h200'?" if the text is similar to the name of a device or to a word of one, else an empty
/// text.
std::string suggest_device(std::string_view text, const std::vector<KnownDevice>& known);

}  // namespace redtune::cli
