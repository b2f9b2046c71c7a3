#include "tuner/cli/devices_of_architecture.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tuner/core/well_known_devices.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {

std::vector<DeviceInfo> devices_of_architecture(int compute_capability, const Catalog& catalog) {
    std::vector<DeviceInfo> known;
    for (gpu::Device& here : gpu::list_devices()) known.push_back(std::move(here.info));
    for (const std::string& name : catalog.devices()) known.push_back(catalog.find_device(name).value());
    std::vector<DeviceInfo> well_known = well_known_devices();
    std::ranges::copy(well_known, std::back_inserter(known));

    std::vector<DeviceInfo> found;
    std::ranges::copy_if(known, std::back_inserter(found), [&](const DeviceInfo& device) {
        return device.compute_major * 10 + device.compute_minor == compute_capability;
    });
    if (!found.empty()) return found;
    for (DeviceInfo& device : well_known) {
        device.compute_major = compute_capability / 10;
        device.compute_minor = compute_capability % 10;
    }
    return well_known;
}

}  // namespace redtune::cli
