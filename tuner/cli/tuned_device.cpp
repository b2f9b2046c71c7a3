#include "tuner/cli/tuned_device.h"

#include <fmt/format.h>

#include "tuner/cli/device_name.h"

namespace redtune::cli {

std::optional<std::string> choose_tuned_device(const std::vector<std::string>& tuned, const std::string& text) {
    std::vector<KnownDevice> in_database;
    for (const std::string& name : tuned) in_database.push_back({name, -1, {}});
    std::vector<KnownDevice> known = in_database;
    for (KnownDevice& device : known_devices()) known.push_back(std::move(device));
    if (const auto device = find_device(text, known)) return device->name;
    refuse_missing_gpu(text, known);
    if (in_database.empty()) {
        fmt::print(stderr, "No device '{}': no device has been tuned; `redtune tune` does that.\n", text);
    } else {
        fmt::print(stderr, "Nothing is known of a device '{}'. Tuned devices: {}{}\n", text,
                   list_devices_for_people(in_database), suggest_device(text, known));
    }
    return std::nullopt;
}

}  // namespace redtune::cli
