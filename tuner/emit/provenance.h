#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "db/layer.h"
#include "redtune/match.h"

namespace redtune::emit {

/// A source of configurations.
struct Provenance {
    std::set<std::string> toolchains;  ///< "driver 580.159.04, NVRTC 13.0, redtune 0.1.0"
    std::string first_measured_at;     ///< ISO 8601, UTC
    std::string last_measured_at;
    std::set<std::string> sources;                               ///< "gpu" or "replay:NAME"
    std::map<std::string, std::set<std::string>> measured_code;  ///< code hashes with which a family was measured
};

/// Finds the measurements on which look-ups rest, in the databases that the catalog read.
class ProvenanceFinder {
  public:
    /// @throws DatabaseError if a database cannot be read
    explicit ProvenanceFinder(const std::vector<db::Layer>& layers);

    /// Returns the device with this name, of several the one with the most SMs; nullopt if no database has it.
    std::optional<DeviceInfo> find_device(std::string_view name) const;

    /// Adds the measurement of a match. A match whose measurement is in no database adds nothing but its time.
    void add(const Match& match, Provenance& provenance) const;

  private:
    struct Database {
        db::Store store;
        std::vector<db::StoredWinner> winners;
    };
    std::vector<Database> databases_;
};

}  // namespace redtune::emit
