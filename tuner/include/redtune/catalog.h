#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/match.h"
#include "redtune/problem.h"

namespace redtune {

/// Where a catalog reads from. Both are optional; a missing file is an empty layer.
struct CatalogOptions {
    /// The user's own results. Default: $REDTUNE_DB, else $XDG_DATA_HOME/redtune/redtune.db, else
    /// ~/.local/share/redtune/redtune.db.
    std::optional<std::filesystem::path> user_database;
    /// The folder of databases shipped with the library. Default: $REDTUNE_SYSTEM_DATA, else
    /// share/redtune beside the running program's folder, else the folder redtune was installed to.
    std::optional<std::filesystem::path> system_data;
};

/// All winners, in memory, with the rule that picks one for any n. Reads no GPU, driver or toolkit.
///
/// Immutable once open: every const member may be called from any number of threads at once. Where both
/// layers hold the same (device, problem, size, regime), the user's wins.
class Catalog {
  public:
    /// Reads both layers once; later changes to the files are not seen.
    /// @throws DatabaseError if a file exists and is not a redtune database that this version can read.
    static Catalog open(const CatalogOptions& options = {});

    Catalog(Catalog&&) noexcept;
    Catalog& operator=(Catalog&&) noexcept;
    ~Catalog();

    /// The best known configuration for n elements on a device, named as the driver names it
    /// ("NVIDIA H200"). Empty when nothing is known of the device, problem and regime.
    /// Lock-free, allocation-free; expected_us is for the winner's own regime.
    std::optional<Match> find(const Problem& problem, std::uint64_t n, std::string_view device,
                              Regime regime = Regime::cold) const noexcept;

    /// Names of the devices that have winners, sorted.
    std::vector<std::string> devices() const;

    /// The problems that were tuned for a device, in any regime.
    std::vector<Problem> problems(std::string_view device) const;

    /// The sizes tuned for a device, problem and regime, ascending.
    std::vector<std::uint64_t> tuned_sizes(const Problem& problem, std::string_view device,
                                           Regime regime = Regime::cold) const;

  private:
    struct Snapshot;
    explicit Catalog(std::unique_ptr<const Snapshot> snapshot);
    std::unique_ptr<const Snapshot> snapshot_;
};

}  // namespace redtune
