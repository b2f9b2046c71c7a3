#include "tuner/cli/tuned_devices.h"

#include <algorithm>
#include <iterator>

#include "db/layer.h"
#include "db/location.h"

namespace redtune::cli {

TunedDevices::TunedDevices(const std::filesystem::path& user_database) : catalog_(Catalog::open({user_database, {}})) {
    for (const db::Layer& layer : db::layers(user_database, db::system_data_folder())) {
        for (const DeviceInfo& device : layer.open().devices()) {
            compute_capabilities_[device.name] = device.compute_major * 10 + device.compute_minor;
        }
    }
}

std::vector<std::string> TunedDevices::devices_for(int compute_capability) const {
    const std::vector<std::string> all = catalog_.devices();
    std::vector<std::string> same;
    std::ranges::copy_if(all, std::back_inserter(same), [&](const std::string& name) {
        const auto found = compute_capabilities_.find(name);
        return found != compute_capabilities_.end() && found->second == compute_capability;
    });
    return same.empty() ? all : same;
}

}  // namespace redtune::cli
