#include "tuner/report/page_devices.h"

#include <algorithm>
#include <tuple>

#include "tuner/report/compact_json.h"
#include "tuner/report/page_problems.h"

namespace redtune::report {

namespace {

/// Returns the members that distinguish devices, as the database does.
auto device_key(const DeviceInfo& device) {
    return std::tuple(device.name, device.compute_major, device.compute_minor, device.sm_count, device.memory_gib(),
                      device.l2_bytes, device.mig_profile);
}

}  // namespace

std::size_t PageDevices::index_of(const DeviceInfo& device) {
    auto found =
        std::ranges::find(entries_, device_key(device), [](const Entry& each) { return device_key(each.info); });
    if (found == entries_.end()) found = entries_.insert(entries_.end(), {device, {}});
    const bool is_known = std::ranges::find(found->units, device.uuid) != found->units.end();
    if (!device.uuid.empty() && !is_known) found->units.push_back(device.uuid);
    return static_cast<std::size_t>(found - entries_.begin());
}

std::optional<std::size_t> PageDevices::find_name(const std::string& name) const {
    const auto found = std::ranges::find(entries_, name, [](const Entry& each) { return each.info.name; });
    if (found == entries_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - entries_.begin());
}

std::size_t PageDevices::index_of_name(const std::string& name) {
    if (const auto found = find_name(name)) return *found;
    DeviceInfo unknown;
    unknown.name = name;
    return index_of(unknown);
}

Json PageDevices::json() const {
    Json list = Json::array();
    for (const auto& [info, units] : entries_) {
        list.push_back({{"name", info.name},
                        {"compute", info.compute_capability()},
                        {"sms", info.sm_count},
                        {"memory_gib", info.memory_gib()},
                        {"l2_bytes", info.l2_bytes},
                        {"mig", info.mig_profile},
                        {"peak_gb_per_s", info.peak_gb_per_s > 0 ? Json(info.peak_gb_per_s) : Json()},
                        {"units", units},
                        {"shell", shell_quoted(info.name)},
                        {"cpp", compact(info.name)}});
    }
    return list;
}

}  // namespace redtune::report
