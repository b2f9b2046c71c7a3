#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/data_ratio.h"
#include "redtune/launch_plan.h"
#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"

namespace redtune::db {

class Connection;
class Statement;

enum class Access {
    read_write,  ///< creates missing folders and the file; upgrades a file of an older version after copying it
    read_only,   ///< sees what other processes commit; reads a file of an older version through an upgraded copy in
                 ///< memory
    immutable    ///< as read_only, but takes no locks and needs no write permission; the file must not change meanwhile
};

/// A measurement with its configuration, size, regime and launch shape.
struct StoredMeasurement {
    std::int64_t id = 0;
    Configuration configuration;
    std::string code_hash;
    LaunchRule rule;
    bool deterministic = false;
    std::string unit;  ///< UUID of the GPU that was used; empty: unknown, or a replay
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::uint32_t grid = 0;
    std::uint32_t block = 0;
    Measurement measurement;
};

/// The sizes for which a configuration is a candidate.
struct SizeRange {
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

    friend bool operator==(const SizeRange&, const SizeRange&) = default;
};

/// The result of a look-up for a size that was not tuned, next to the best configuration that a search found there.
struct SizeCheck {
    std::int64_t picked = 0;  ///< id of the measurement of the configuration that the look-up picked
    std::int64_t best = 0;    ///< id of the best measurement of the same interleaved rounds
    double expected_us = 0;   ///< the time that the look-up expected
};

/// How good look-ups between the tuned sizes of a problem are, in one regime.
struct MeasuredRegret {
    std::size_t sizes = 0;  ///< sizes that were checked
    double median = 0;      ///< of the picked configuration's time / the best time - 1
    double largest = 0;
};

/// The time of a configuration at a size.
struct TimeAtSize {
    std::uint64_t n = 0;
    double us = 0;
};
/// The ratios of a winner that was compared on uniform data, when these are not known.
inline const std::vector<DataRatio> uniform_only = {{"uniform", std::nullopt}};

struct StoredWinner {
    DeviceInfo device;
    Problem problem;  ///< `problem.determinism` is the kind of determinism under which the measurement won
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    StoredMeasurement measurement;
    std::string decided_by;                  ///< rule that chose the winner (see tuner/search/choose.h)
    std::optional<double> runner_up_ratio;   ///< runner-up's time / winner's time
    std::string source;                      ///< "gpu" or "replay:NAME"
    std::optional<SizeRange> candidate_for;  ///< nullopt: not known
    /// The times of the configuration as a finalist of sizes from n/4 to 4n. Only winners() sets it.
    std::vector<TimeAtSize> finalist_times;
    std::uint32_t units = 1;       ///< number of GPUs on whose finalists the choice rests
    std::optional<double> spread;  ///< largest of these units' ratios (winner's time / best time); nullopt: one unit
    std::vector<DataRatio> data;   ///< the data on which it was compared, that of the measurement first
};

/// The key of a winner, in the ids of one database.
struct WinnerKey {
    std::int64_t device = 0;
    std::int64_t problem = 0;
    std::int64_t regime = 0;
    std::int64_t n = 0;
    std::string determinism;
};

/// A finalist of one unit that is ok on all data on which the file has times of the unit's winner.
struct UnitFinalist {
    std::int64_t configuration = 0;  ///< id, equal for equal configurations of the same code
    std::int64_t measurement = 0;    ///< id of the measurement on the data of the unit winner's measurement
    std::vector<DataRatio> ratios;   ///< for each data, its time / the best time of a finalist
    bool deterministic = false;
    std::uint32_t registers = 0;
};

/// The finalists that one unit was decided among. A finalist that was measured repeatedly has its latest times.
struct UnitFinalists {
    std::string uuid;         ///< empty: unknown, or a replay
    std::string source;       ///< "gpu" or "replay:NAME"
    std::int64_t winner = 0;  ///< id of the row of unit_winner
    std::vector<UnitFinalist> finalists;
};

/// A winner that was chosen among the finalists of several units.
struct WinnerOfUnits {
    std::int64_t measurement = 0;
    std::string decided_by;
    std::optional<double> runner_up_ratio;
    std::uint32_t units = 0;
    double spread = 0;
    std::vector<DataRatio> data;  ///< for each data, the largest ratio of a unit
};

/// The counts that Store::repair_winners() returns.
struct RepairedWinners {
    std::int64_t removed = 0;   ///< winners that were not sound
    std::int64_t replaced = 0;  ///< removed winners for which another measurement was found
};

/// A redtune database file. A store is not thread-safe: each thread needs its own. Any number of stores and processes
/// may have the same file open.
///
/// Every member function throws DatabaseError if the file cannot be read or written, or if another process locks it for
/// longer than 10 s. Functions that write need Access::read_write.
class Store {
  public:
    /// Opens a file. A file of 0 bytes is an empty database.
    /// @throws DatabaseError also for a file that is not a SQLite database, or that another program or a newer redtune
    /// made; such a file is not changed.
    static Store open(const std::filesystem::path& file, Access access);
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    /// Sets the families with which measurements(), winner() and winners() complete the configurations that they return
    /// (see tuner/core/complete.h), so that rows recorded before a family had a parameter equal current configurations.
    void complete_configurations(std::vector<Family> families);

    /// Returns the path of the file.
    const std::filesystem::path& file() const noexcept;
    /// Returns SQLite's name of the journal mode: "wal", "delete", or "memory" if a file of an older version is read
    /// through an upgraded copy in memory.
    std::string journal_mode() const;

    /// Adds a sweep whose status is "running", and returns its id.
    /// @param source "gpu" or "replay:NAME"
    /// @param command the command line, which is shown to users
    std::int64_t begin_sweep(const DeviceInfo& device, const Problem& problem, const ToolchainInfo& toolchain,
                             std::string_view source, std::string_view command);
    /// Sets the final status of a sweep and the time at which it ended.
    /// @param status "finished", "interrupted" or "failed"
    void finish_sweep(std::int64_t sweep, std::string_view status);

    /// Stores one measurement and returns its id. The measurement is committed at once, so that it is kept if the
    /// process is killed.
    /// @param code_hash the code hash of the trial's family
    std::int64_t record(std::int64_t sweep, const Trial& trial, std::string_view code_hash, std::uint64_t n,
                        Regime regime, const LaunchPlan& plan, const Measurement& measurement);

    /// Sets or replaces the winner of the sweep's device and problem at this size, regime and determinism, and the
    /// winner of the unit on which the measurement was made.
    /// @param data the data on which it was compared, with its ratios
    /// @throws DatabaseError if the measurement has another device, problem, size or regime, is not ok, or is not
    /// deterministic although `determinism` is run_to_run
    void set_winner(std::int64_t sweep, std::uint64_t n, Regime regime, Determinism determinism,
                    std::int64_t measurement, std::string_view decided_by, std::optional<double> runner_up_ratio,
                    const std::optional<SizeRange>& candidate_for = std::nullopt,
                    const std::vector<DataRatio>& data = uniform_only);

    /// Stores a check of a size of the sweep's device and problem; replaces an earlier one.
    /// @throws DatabaseError if the measurements are not of the same size and regime
    void add_size_check(std::int64_t sweep, const SizeCheck& check);

    /// Replaces the winners that are not sound (see unsound_winners.h); the others stay. Candidates for the replacement
    /// are the measurements of the same device, problem, regime, size and determinism. Measurements on a GPU are
    /// preferred to those of a replay, then those on uniform data, then later stages to earlier ones, then lower
    /// medians, then lower ids.
    RepairedWinners repair_winners();

    /// Returns the measurements of a device, a problem, a size and a regime, on any data, sorted by id. The problem's
    /// determinism is ignored.
    /// @param toolchain selects the measurements made with these versions; nullopt: all measurements
    std::vector<StoredMeasurement> measurements(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                                Regime regime, const std::optional<ToolchainInfo>& toolchain) const;
    /// Returns all winners, sorted by device, problem, regime, determinism and n.
    std::vector<StoredWinner> winners() const;
    /// Returns the sizes that have been checked, in ascending order.
    std::vector<std::uint64_t> checked_sizes(const DeviceInfo& device, const Problem& problem, Regime regime) const;
    /// Returns the regret of look-ups that was measured on devices of this name; nullopt if no size was checked.
    std::optional<MeasuredRegret> regret(std::string_view device, const Problem& problem, Regime regime) const;
    std::optional<StoredWinner> winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                                       Determinism determinism) const;
    /// Returns the winner of one unit, the one with the UUID `device.uuid` (empty: of the sweeps without a unit).
    std::optional<StoredWinner> unit_winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                            Regime regime, Determinism determinism) const;
    /// Returns the problems that have sweeps for a device, those of the latest sweep first. Their determinism is `any`.
    std::vector<Problem> problems(const DeviceInfo& device) const;
    /// Returns the status of the latest sweep of a device and a problem: "running" (it was killed or still runs),
    /// "finished", "interrupted" or "failed"; empty if there is none.
    std::string latest_sweep_status(const DeviceInfo& device, const Problem& problem) const;
    /// Returns all devices, sorted by name. Their `uuid` is empty.
    std::vector<DeviceInfo> devices() const;
    /// Returns the sizes that have measurements, in ascending order. If `stage` is given, only its measurements count.
    std::vector<std::uint64_t> recorded_sizes(const DeviceInfo& device, const Problem& problem, Regime regime,
                                              std::optional<Stage> stage = std::nullopt) const;

    /// Runs `work` in one transaction, which is rolled back if `work` throws. `work` must not begin a sweep or record.
    void in_transaction(const std::function<void()>& work);
    /// Returns the keys of all winners of units, sorted.
    std::vector<WinnerKey> winner_keys() const;
    /// Returns the key of the winner that a measurement can be; nullopt if there is no such measurement.
    std::optional<WinnerKey> winner_key(std::int64_t measurement, Determinism determinism) const;
    /// Returns the finalists of each unit, that is, those of the sweep that made the unit's winner. The unit that was
    /// measured last comes first. If a GPU was measured, replays are left out.
    std::vector<UnitFinalists> finalists_of_units(const WinnerKey& key) const;
    /// Makes the winner of a unit (the id of its row) the winner.
    void set_winner_of_unit(std::int64_t unit_winner);
    /// Sets or replaces a winner that was chosen among several units.
    void set_winner_of_units(const WinnerKey& key, const WinnerOfUnits& winner);

    /// Returns the connection, on which db/inspection.h runs its queries.
    const Connection& connection() const noexcept;

  private:
    struct Impl;
    /// Returns the winners in the rows of a statement.
    static std::vector<StoredWinner> read_winners(Statement& statement, const Impl& impl);
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace redtune::db
