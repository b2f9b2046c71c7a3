#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
struct MeasuredKernels;

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

/// A comparison of what a look-up picks for a size that was not tuned with the best configuration that a search found
/// there.
struct SizeCheck {
    std::int64_t picked = 0;  ///< id of the measurement of the picked configuration
    std::int64_t best = 0;    ///< id of the best measurement of the same interleaved rounds
    double expected_us = 0;   ///< expected time of the picked configuration, as the look-up returned it
};

/// The regret of look-ups between the tuned sizes of a problem, in one regime.
struct MeasuredRegret {
    std::size_t sizes = 0;  ///< number of sizes that were checked
    double median = 0;  ///< median regret; the regret of a size is the picked configuration's time / the best time - 1
    double largest = 0;
};

/// The time of a configuration at a size.
struct TimeAtSize {
    std::uint64_t n = 0;
    double us = 0;
};
/// The ratios of a winner that was compared on uniform data only and whose ratio is not known.
inline const std::vector<DataRatio> uniform_only = {{"uniform", std::nullopt}};

/// Returns whether measurements with this source, as StoredWinner has it, were replayed from a recording.
inline bool is_replay(std::string_view source) {
    return source.starts_with("replay:");
}

struct StoredWinner {
    DeviceInfo device;
    Problem problem;  ///< `problem.determinism` is the kind of determinism under which the measurement won
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    StoredMeasurement measurement;
    std::string decided_by;                  ///< rule that chose the winner (see tuner/search/choose.h)
    std::optional<double> runner_up_ratio;   ///< runner-up's time / winner's time
    std::string source;                      ///< "gpu" or "replay:NAME"
    ToolchainInfo toolchain;                 ///< versions with which the measurement was made
    std::optional<SizeRange> candidate_for;  ///< sizes for which the configuration is a candidate; nullopt: not known
    /// Times of the configuration as a finalist at sizes from n/4 to 4n, whatever its launch rule is there. Only the
    /// functions Store::winners() set this member.
    std::vector<TimeAtSize> finalist_times;
    std::uint32_t units = 1;       ///< number of GPUs among whose finalists the winner was chosen
    std::optional<double> spread;  ///< winner's time / best time, the largest on any of these units; nullopt: one unit
    std::vector<DataRatio> data;   ///< kinds of data on which the winner was compared, that of `measurement` first
    /// The effort with which the cell was searched (tuner/search/effort.h), with several units the least; empty: not
    /// known, or less than quick.
    std::string effort;
};

/// A device, problem and regime that have winners. Its ids are those of one database.
struct WinnerGroup {
    DeviceInfo device;
    Problem problem;  ///< `problem.determinism` is the kind of determinism under which the winners won
    Regime regime = Regime::cold;
    std::int64_t device_id = 0;
    std::int64_t problem_id = 0;
    std::int64_t regime_id = 0;
};

/// The key of a winner. Its ids are those of one database.
struct WinnerKey {
    std::int64_t device = 0;
    std::int64_t problem = 0;
    std::int64_t regime = 0;
    std::int64_t n = 0;
    std::string determinism;
};

/// A finalist of one unit. It is ok on every kind of data on which the file has a time of the unit's winner.
struct UnitFinalist {
    std::int64_t configuration = 0;  ///< id, equal for equal configurations of the same code
    /// Id of its measurement on the kind of data on which the unit winner's measurement was taken.
    std::int64_t measurement = 0;
    std::vector<DataRatio> ratios;  ///< for each kind of data, its time / the best time of a finalist
    bool deterministic = false;
    std::uint32_t registers = 0;
};

/// The finalists among which the winner of one unit was chosen. If a finalist was measured repeatedly, its latest times
/// count.
struct UnitFinalists {
    std::string uuid;         ///< empty: unknown, or a replay
    std::string source;       ///< "gpu" or "replay:NAME"
    std::int64_t winner = 0;  ///< id of the row of unit_winner
    std::string effort;       ///< as StoredWinner::effort
    std::vector<UnitFinalist> finalists;
};

/// A winner that was chosen among the finalists of several units.
struct WinnerOfUnits {
    std::int64_t measurement = 0;
    std::string decided_by;
    std::optional<double> runner_up_ratio;
    std::uint32_t units = 0;
    double spread = 0;
    std::vector<DataRatio> data;  ///< for each kind of data, the largest ratio on a unit
    std::string effort;           ///< as StoredWinner::effort
};

/// The counts that Store::repair_winners() returns.
struct RepairedWinners {
    std::int64_t removed = 0;   ///< number of winners that were not sound
    std::int64_t replaced = 0;  ///< number of these for which another measurement was found
};

/// Selects measurements of a cell: those that meet every condition that is set.
struct MeasurementRule {
    std::optional<ToolchainInfo> toolchain = std::nullopt;  ///< made with these versions
    std::optional<std::string> data = std::nullopt;         ///< on this kind of data
    std::optional<Stage> stage = std::nullopt;
    std::optional<std::string> family = std::nullopt;  ///< its name
    bool has_failed = false;                           ///< whether only failures are selected
    /// Selects successful measurements whose median is at most this factor times the least median of those that meet
    /// the other conditions.
    std::optional<double> within = std::nullopt;
};

/// Selects the measurements that Store::remove_measurements() removes: those that meet every condition that is set.
struct RemovalRule {
    std::optional<std::int64_t> measured_before = std::nullopt;  ///< Unix time in seconds
    std::optional<std::string> device = std::nullopt;            ///< name
    /// The families (name and code hash) of the current code. Selects the measurements of a family with one of these
    /// names and another hash; families with other names are the user's own.
    std::optional<std::vector<std::pair<std::string, std::string>>> current_code = std::nullopt;
    /// Keeps the winners of each unit, the finalists with which they were compared, and the checks of look-ups.
    bool keeps_winners = true;
};

/// Numbers of rows that Store::remove_measurements() removed.
struct RemovedRows {
    std::int64_t measurements = 0;
    std::int64_t sweeps = 0;   ///< of which no measurement is left
    std::int64_t winners = 0;  ///< that were removed without another unit's winner in their place
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
    /// (see tuner/core/complete.h), so that a configuration that was recorded before its family had a parameter equals
    /// the current one.
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
    /// @param data the kinds of data on which the winner was compared, with its ratios
    /// @param effort as StoredWinner::effort
    /// @throws DatabaseError if the measurement has another device, problem, size or regime, is not ok, or is not
    /// deterministic although `determinism` is run_to_run
    void set_winner(std::int64_t sweep, std::uint64_t n, Regime regime, Determinism determinism,
                    std::int64_t measurement, std::string_view decided_by, std::optional<double> runner_up_ratio,
                    const std::optional<SizeRange>& candidate_for = std::nullopt,
                    const std::vector<DataRatio>& data = uniform_only, std::string_view effort = {});

    /// Stores the check of a look-up at one size, for the sweep's device and problem. Replaces an earlier check of the
    /// same size.
    /// @throws DatabaseError if the measurements are not of the same size and regime
    void add_size_check(std::int64_t sweep, const SizeCheck& check);

    /// Replaces the winners that are not sound (see unsound_winners.h); the others stay. Candidates for the replacement
    /// are the measurements of the same device, problem, regime, size and determinism. Measurements on a GPU are
    /// preferred to those of a replay, then those on uniform data, then later stages to earlier ones, then lower
    /// medians, then lower ids.
    RepairedWinners repair_winners();

    /// Counts all measurements, and replaces the rows of `measurement_count` if they are not the same. Returns the
    /// number of rows that were wrong.
    std::int64_t repair_measurement_counts();

    /// Returns measurements of a device, a problem, a size and a regime, sorted by id. The problem's determinism is
    /// ignored.
    std::vector<StoredMeasurement> measurements(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                                Regime regime, const MeasurementRule& rule = {}) const;
    /// Returns all winners, sorted by device, problem, regime, determinism and n.
    std::vector<StoredWinner> winners() const;
    /// Returns the groups of the winners, without reading the winners. The time grows with the number of groups, but
    /// hardly with the number of winners.
    /// @param only_problem leaves out other problems than those with its operator and input type, but keeps at least
    /// one problem of each device
    std::vector<WinnerGroup> winner_groups(const std::optional<Problem>& only_problem = std::nullopt) const;
    /// Returns the winners of one group, sorted by n. The time grows with the number of measurements of the group's
    /// device and problem.
    std::vector<StoredWinner> winners(const WinnerGroup& group) const;
    /// Returns the sizes with a SizeCheck, in ascending order.
    std::vector<std::uint64_t> checked_sizes(const DeviceInfo& device, const Problem& problem, Regime regime) const;
    /// Returns the regret of look-ups that was measured on devices of this name; nullopt if no size was checked.
    std::optional<MeasuredRegret> regret(std::string_view device, const Problem& problem, Regime regime) const;
    std::optional<StoredWinner> winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                                       Determinism determinism) const;
    /// Returns the winner of one unit: the GPU with the UUID `device.uuid`. If that is empty, returns the winner of the
    /// sweeps that have no unit.
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
    /// Adds the sweeps, measurements and unit winners of another database, in one transaction. Sweeps and
    /// measurements that are here already keep their ids and are not added again.
    /// @param input a database with this version's schema
    /// @param choose_winners fills the table `winner`, which is derived from the others
    void add_rows(const Connection& input, const std::function<void(Store&)>& choose_winners);
    /// Removes measurements, in one transaction, and then the sweeps, configurations, families and so on to which
    /// nothing refers any more. Sweeps that began less than a day ago and have not ended are left alone, because they
    /// may still run. A unit whose winner goes but not all finalists has the best of those that stay as its winner. The
    /// file does not become smaller; see shrink().
    /// @param choose_winner sets the winner of a key anew among the units of which winners are left
    /// @param commits if false, all is rolled back after it was counted
    RemovedRows remove_measurements(const RemovalRule& rule,
                                    const std::function<void(Store&, const WinnerKey&)>& choose_winner, bool commits);
    /// Makes the measurements of `kernels` measurements with another code of their family, in one transaction. Call it
    /// for code that compiles to the same kernels, so that the times are theirs too. Returns the number of
    /// measurements.
    std::int64_t set_code(std::span<const MeasuredKernels> kernels, std::string_view family,
                          std::string_view code_hash);
    /// Rewrites the file without the space of removed rows. This needs as much free space as the file has.
    void shrink();
    /// Returns the keys of all winners of units, sorted.
    std::vector<WinnerKey> winner_keys() const;
    /// Returns the key that a winner with this measurement has; nullopt if the measurement does not exist.
    std::optional<WinnerKey> winner_key(std::int64_t measurement, Determinism determinism) const;
    /// Returns the finalists of each unit: the finalists of the sweep that chose the unit's winner. The unit that was
    /// measured last comes first. If any unit is a GPU, replays are left out. So are units that were searched with
    /// other code of a family than the unit that was measured last.
    std::vector<UnitFinalists> finalists_of_units(const WinnerKey& key) const;
    /// Stores the winner of a unit as the winner over all units.
    /// @param unit_winner the id of its row in the table unit_winner
    void set_winner_of_unit(std::int64_t unit_winner);
    /// Sets or replaces a winner that was chosen among several units.
    void set_winner_of_units(const WinnerKey& key, const WinnerOfUnits& winner);

    /// Returns the connection. The functions of db/inspection.h run their queries on it.
    const Connection& connection() const noexcept;

  private:
    struct Impl;
    /// Returns the winners in the rows of a statement.
    static std::vector<StoredWinner> read_winners(Statement& statement, const Impl& impl);
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace redtune::db
