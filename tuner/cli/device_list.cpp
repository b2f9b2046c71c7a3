#include "tuner/cli/device_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "redtune/error.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {

namespace {

std::vector<DeviceChoice> all_gpus() {
    std::vector<DeviceChoice> gpus;
    for (const gpu::Device& device : gpu::list_devices()) gpus.push_back({device.ordinal, {}});
    if (gpus.empty()) {
        throw DeviceError(fmt::format("--device all: there is no GPU here: {}; `redtune doctor` says what to do",
                                      gpu::why_no_device()));
    }
    return gpus;
}

std::vector<DeviceChoice> listed_devices(const std::string& text) {
    std::vector<DeviceChoice> devices;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string name = text.substr(begin, end - begin);
        if (name.empty()) {
            throw InputError(
                fmt::format("--device '{}' has an empty name; allowed are all, one device, or several "
                            "with commas between them, such as 0,2,3",
                            text));
        }
        const DeviceChoice device = choose_device(name);
        const bool is_twice = std::ranges::any_of(
            devices, [&](const DeviceChoice& other) { return device.ordinal >= 0 && other.ordinal == device.ordinal; });
        if (is_twice) {
            throw InputError(fmt::format("--device '{}' names GPU {} twice; name each once", text, device.ordinal));
        }
        devices.push_back(device);
        begin = end + 1;
    }
    return devices;
}

/// Returns a label for each device; those of a recording that is listed several times are numbered.
std::vector<std::string> labels_of(const std::vector<DeviceChoice>& devices) {
    std::vector<std::string> labels;
    for (const DeviceChoice& device : devices) {
        const auto is_same = [&](const DeviceChoice& other) { return other.recording == device.recording; };
        std::string label = device.ordinal >= 0 ? fmt::format("GPU {}", device.ordinal) : "replay:" + device.recording;
        if (device.ordinal < 0 && std::ranges::count_if(devices, is_same) > 1) {
            label += fmt::format(" ({})", labels.size() + 1);
        }
        labels.push_back(std::move(label));
    }
    return labels;
}

}  // namespace

DeviceList choose_devices(const std::string& text) {
    DeviceList list;
    list.is_list = text == "all" || text.find(',') != std::string::npos;
    if (text == "all") {
        list.devices = all_gpus();
    } else if (list.is_list) {
        list.devices = listed_devices(text);
    } else {
        list.devices = {choose_device(text)};
    }
    list.labels = labels_of(list.devices);
    return list;
}

}  // namespace redtune::cli
