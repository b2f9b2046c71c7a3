#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/export.h"
#include "redtune/match.h"
#include "redtune/problem.h"

namespace redtune {

/// The paths of the two layers that a catalog reads. A missing file or folder is an empty layer.
struct CatalogOptions {
    /// The database file with the user's own results. Default: $REDTUNE_DB, else
    /// $XDG_DATA_HOME/redtune/redtune.db, else ~/.local/share/redtune/redtune.db.
    std::optional<std::filesystem::path> user_database;
    /// The folder whose *.winners.db files ship with the library. Default: $REDTUNE_SYSTEM_DATA, else the first of
    /// these that has such files: share/redtune in the folder of the shared library (of the program, if redtune was
    /// linked statically), in its parent or its grandparent; share/redtune of the install prefix; redtune in the
    /// folders of $XDG_DATA_HOME and $XDG_DATA_DIRS.
    std::optional<std::filesystem::path> system_data;
};

/// Holds all winners in memory and picks the best known configuration for any n. It needs no GPU, driver or toolkit.
///
/// An open catalog is immutable: any number of threads may call its const members at once. If both layers have a winner
/// for the same device, problem, size and regime, the user's winner is taken.
class REDTUNE_EXPORT Catalog {
  public:
    /// Returns a catalog of both layers, which are read once: the catalog does not see later changes to the files.
    /// @throws DatabaseError if a file exists and is not a redtune database that this version can read.
    static Catalog open(const CatalogOptions& options = {});

    /// Moves the winners. A catalog that was moved from may only be assigned to or destroyed. Matches stay valid,
    /// because their views refer to the winners.
    Catalog(Catalog&&) noexcept;
    /// Moves the winners; see above. Matches of the catalog that is assigned to become invalid.
    Catalog& operator=(Catalog&&) noexcept;
    /// Matches of the catalog become invalid.
    ~Catalog();

    /// Returns the best known configuration for n elements; empty if the device, problem and regime have no winner. The
    /// call takes no lock and allocates nothing. `expected_us` is the time in the requested regime.
    /// @param problem the reduction, as make_problem() returns it
    /// @param n number of elements, of all rows together
    /// @param device the driver's name of the device: "NVIDIA H200"
    /// @param regime the conditions of the calls, for which winners can differ
    std::optional<Match> find(const Problem& problem, std::uint64_t n, std::string_view device,
                              Regime regime = Regime::cold) const noexcept;

    /// Returns the names of the devices that have winners, sorted.
    std::vector<std::string> devices() const;

    /// Returns the problems that have winners for a device in any regime.
    std::vector<Problem> problems(std::string_view device) const;

    /// Returns the tuned sizes of a device, problem and regime in ascending order.
    std::vector<std::uint64_t> tuned_sizes(const Problem& problem, std::string_view device,
                                           Regime regime = Regime::cold) const;

  private:
    struct Snapshot;
    explicit Catalog(std::unique_ptr<const Snapshot> snapshot);
    std::unique_ptr<const Snapshot> snapshot_;
};

}  // namespace redtune
