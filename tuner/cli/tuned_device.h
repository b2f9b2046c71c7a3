#pragma once

#include <optional>
#include <string>
#include <vector>

namespace redtune::cli {

/// Returns the name of the device that a --device argument selects, as find_device() reads it: one of the tuned
/// devices, a GPU of this machine, or the device of a recording. Prints the tuned devices on stderr and returns nothing
/// if the text names no device.
/// @param tuned names of the devices that the databases have
/// @throws InputError if several devices fit; DeviceError for the ordinal of a GPU that is not there
std::optional<std::string> choose_tuned_device(const std::vector<std::string>& tuned, const std::string& text);

}  // namespace redtune::cli
