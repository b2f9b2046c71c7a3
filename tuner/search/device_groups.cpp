#include "tuner/search/device_groups.h"

#include <algorithm>
#include <tuple>

namespace redtune::search {

namespace {

/// The key of a device in the database (db/schema).
auto key_of(const DeviceInfo& device) {
    return std::tuple(device.name, device.compute_major, device.compute_minor, device.sm_count, device.memory_gib(),
                      device.l2_bytes, device.mig_profile);
}

}  // namespace

bool are_units_of_one_device(const Executor& a, const Executor& b) {
    return key_of(a.device()) == key_of(b.device()) && a.toolchain() == b.toolchain() && a.source() == b.source();
}

std::vector<std::vector<std::size_t>> group_by_device(const std::vector<std::unique_ptr<Executor>>& executors) {
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < executors.size(); ++i) {
        const auto group = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& each) {
            return are_units_of_one_device(*executors[each.front()], *executors[i]);
        });
        if (group == groups.end()) {
            groups.push_back({i});
        } else {
            group->push_back(i);
        }
    }
    return groups;
}

}  // namespace redtune::search
