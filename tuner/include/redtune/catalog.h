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

/// The two layers that a catalog reads. A missing file or folder is an empty layer.
struct CatalogOptions {
    /// The user's own results. Default: $REDTUNE_DB, else $XDG_DATA_HOME/redtune/redtune.db, else
    /// ~/.local/share/redtune/redtune.db.
    std::optional<std::filesystem::path> user_database;
    /// The folder whose *.winners.db files ship with the library. Default: $REDTUNE_SYSTEM_DATA, else share/redtune
    /// beside the running program's folder, else db/data of the source tree around that folder, else the folder redtune
    /// was installed to.
    std::optional<std::filesystem::path> system_data;
};

/// Holds all winners in memory and picks one for any n. Needs no GPU, driver or toolkit.
///
/// Immutable once open: every const member may be called from any number of threads at once. If both layers have a
/// winner for the same device, problem, size and regime, the user's counts.
class Catalog {
  public:
    /// Reads both layers once; later changes to the files are not seen.
    /// @throws DatabaseError if a file exists and is not a redtune database that this version can read.
    static Catalog open(const CatalogOptions& options = {});

    Catalog(Catalog&&) noexcept;
    Catalog& operator=(Catalog&&) noexcept;
    ~Catalog();

    /// Returns the best known configuration for n elements on a device, named as the driver names it ("NVIDIA H200");
    /// empty if the device, problem and regime have no winner. Takes no lock and allocates nothing. `expected_us` is
    /// the time in the regime that was asked for.
    std::optional<Match> find(const Problem& problem, std::uint64_t n, std::string_view device,
                              Regime regime = Regime::cold) const noexcept;

    /// Returns the names of the devices that have winners, sorted.
    std::vector<std::string> devices() const;

    /// Returns the problems that were tuned for a device in any regime.
    std::vector<Problem> problems(std::string_view device) const;

    /// Returns the sizes tuned for a device, problem and regime, ascending.
    std::vector<std::uint64_t> tuned_sizes(const Problem& problem, std::string_view device,
                                           Regime regime = Regime::cold) const;

  private:
    struct Snapshot;
    explicit Catalog(std::unique_ptr<const Snapshot> snapshot);
    std::unique_ptr<const Snapshot> snapshot_;
};

}  // namespace redtune
