#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tuner/core/device_info.h"
#include "tuner/core/json_object.h"

namespace redtune::report {

/// The distinct devices that a page names, each with an index.
class PageDevices {
  public:
    /// Returns the index of a device, which is added if it is new. Adds the device's unit, if it has a UUID.
    std::size_t index_of(const DeviceInfo& device);
    /// Returns the index of the first device with this name; nothing if there is none.
    std::optional<std::size_t> find_name(const std::string& name) const;
    /// Returns the index of the first device with this name, which is added without any properties if there is none.
    std::size_t index_of_name(const std::string& name);

    std::size_t size() const { return entries_.size(); }
    /// Returns the properties of each device, and how its name is written on a command line and in C++.
    Json json() const;

  private:
    struct Entry {
        DeviceInfo info;
        std::vector<std::string> units;
    };
    std::vector<Entry> entries_;
};

}  // namespace redtune::report
