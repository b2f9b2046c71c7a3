#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/device.h"
#include "redtune/export.h"
#include "redtune/match.h"
#include "redtune/problem.h"
#include "redtune/selector.h"

namespace redtune {

/// The two layers that a catalog reads, and when. A missing file or folder is an empty layer.
struct CatalogOptions {
    /// The database file with the user's own results. Default: $REDTUNE_DB, else
    /// $XDG_DATA_HOME/redtune/redtune.db, else ~/.local/share/redtune/redtune.db.
    std::optional<std::filesystem::path> user_database;
    /// The folder whose *.winners.db files ship with the library. Default: $REDTUNE_SYSTEM_DATA, else the first of
    /// these that has such files: share/redtune in the folder of the shared library (of the program, if redtune was
    /// linked statically), in its parent or its grandparent; share/redtune of the install prefix; redtune in the
    /// folders of $XDG_DATA_HOME and $XDG_DATA_DIRS.
    std::optional<std::filesystem::path> system_data;
    /// Whether the winners of the user's database are read when they are first asked for, as those of the shipped files
    /// are, and not when the catalog is opened. For programs that ask once: opening a large database takes less time,
    /// but a first look-up waits while another process locks the database, and sees what that process wrote.
    bool read_user_winners_on_demand = false;
    /// Leaves out what was tuned for another operator or input type than this problem's, in files that are read on
    /// demand, so that opening a file with many problems takes less time. Every tuned device stays known. Matches up to
    /// MatchKind::beyond are those of the whole catalog; there may be no other ones. Default: nothing is left out.
    std::optional<Problem> only_problem = std::nullopt;
};

/// Picks the best known configuration for any n. It needs no GPU, driver or toolkit.
///
/// The user's winners are read when the catalog is opened. The shipped files stay open, and the winners of a device,
/// problem and regime are read from them when they are first asked for. The shipped files must not be changed in place
/// while a catalog is open; replacing them by new files, as package managers do, is fine.
///
/// Any number of threads may call the const members at once, and one of them may call reload() meanwhile. If both
/// layers have a winner for the same device, problem, size and regime, the user's winner is taken.
class REDTUNE_EXPORT Catalog {
  public:
    /// Returns a catalog of both layers. It sees later changes to the files only after reload().
    /// @throws DatabaseError if a file exists and is not a redtune database that this version can read. A damaged row
    /// of a shipped file is found when it is read: select(), prepare() and tuned_sizes() throw DatabaseError then.
    static Catalog open(const CatalogOptions& options = {});

    /// Moves the winners. A catalog that was moved from may only be assigned to or destroyed. Matches stay valid,
    /// because their views refer to the winners.
    Catalog(Catalog&&) noexcept;
    /// Moves the winners; see above. Matches of the catalog that is assigned to become invalid.
    Catalog& operator=(Catalog&&) noexcept;
    /// Matches of the catalog become invalid.
    ~Catalog();

    /// Reads the files again. Other threads may use the catalog meanwhile: a look-up sees either the old or the new
    /// results, and waits for nothing. Matches and selectors that were made before stay valid, because the catalog
    /// keeps the earlier results in memory until it is destroyed; selectors keep answering from these.
    /// @throws DatabaseError as open(); the catalog then keeps its results.
    void reload();

    /// Returns a selector, which picks a configuration for any n of a problem on a device, also on one that was never
    /// tuned. The call ranks what is known and allocates; make a selector once and keep it. The catalog keeps what the
    /// matches of its selectors refer to, and shares it between equal calls without SelectOptions::occupancy.
    /// @throws InputError for a device without name, compute capability or SMs
    /// @throws DatabaseError if winners cannot be read
    Selector select(const Problem& problem, const DeviceInfo& device, const SelectOptions& options = {}) const;

    /// Returns the description of the device with this name: as it was tuned, else as redtune knows it; empty if
    /// redtune does not know the name.
    std::optional<DeviceInfo> find_device(std::string_view name) const;

    /// Returns the best known configuration for n elements on a tuned device; empty if the device, problem and regime
    /// have no winner. The kind of the match is exact, between or beyond. The first call for a device, problem and
    /// regime may read their winners (see prepare()); all later calls take no lock and allocate nothing. If the winners
    /// cannot be read, the result is empty.
    /// `expected_us` is the time in the requested regime.
    /// @param problem the reduction, as make_problem() returns it
    /// @param n number of elements, of all rows together
    /// @param device the driver's name of the device: "NVIDIA H200"
    /// @param regime the conditions of the calls, for which winners can differ
    std::optional<Match> find(const Problem& problem, std::uint64_t n, std::string_view device,
                              Regime regime = Regime::cold) const noexcept;

    /// Reads the winners that find() needs for these arguments, so that find() takes no lock and allocates nothing from
    /// its first call on. Calls after the first one do nothing, until reload(). Any thread may call it.
    /// @throws DatabaseError if the winners cannot be read
    void prepare(const Problem& problem, std::string_view device, Regime regime = Regime::cold) const;

    /// Returns the names of the devices that have winners, sorted.
    std::vector<std::string> devices() const;

    /// Returns the problems that have winners for a device in any regime.
    std::vector<Problem> problems(std::string_view device) const;

    /// Returns the tuned sizes of a device, problem and regime in ascending order.
    /// @throws DatabaseError if their winners cannot be read
    std::vector<std::uint64_t> tuned_sizes(const Problem& problem, std::string_view device,
                                           Regime regime = Regime::cold) const;

  private:
    struct Impl;
    explicit Catalog(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace redtune
