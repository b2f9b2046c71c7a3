#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "redtune/catalog.h"

namespace redtune::cli {

/// The winners of the tuned devices, with the devices' compute capabilities.
class TunedDevices {
  public:
    /// Reads a user's database and the shipped data.
    /// @throws DatabaseError as Catalog::open() does
    explicit TunedDevices(const std::filesystem::path& user_database);

    const Catalog& catalog() const noexcept { return catalog_; }
    /// Returns the names of the devices whose winners look-ups on a GPU of this compute capability (major x 10 + minor)
    /// return: the tuned devices that have it, or else all tuned devices.
    std::vector<std::string> devices_for(int compute_capability) const;

  private:
    Catalog catalog_;
    std::map<std::string, int> compute_capabilities_;  // by the device's name
};

}  // namespace redtune::cli
