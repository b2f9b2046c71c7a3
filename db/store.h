#pragma once

#include <cstdint>
#include <filesystem>
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
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::uint32_t grid = 0;
    std::uint32_t block = 0;
    Measurement measurement;
};

/// The ratios of a winner that was compared on uniform data, when these are not known.
inline const std::vector<DataRatio> uniform_only = {{"uniform", std::nullopt}};

struct StoredWinner {
    DeviceInfo device;
    Problem problem;  ///< `problem.determinism` is the kind of determinism under which the measurement won
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    StoredMeasurement measurement;
    std::string decided_by;                 ///< rule that chose the winner (see tuner/search/choose.h)
    std::optional<double> runner_up_ratio;  ///< runner-up's time / winner's time
    std::string source;                     ///< "gpu" or "replay:NAME"
    std::vector<DataRatio> data;            ///< in the order in which the data were asked for
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

    /// Sets or replaces the winner of the sweep's device and problem at this size, regime and determinism.
    /// @param data the data on which it was compared, with its ratios
    /// @throws DatabaseError if the measurement has another device, problem, size or regime, is not ok, or is not
    /// deterministic although `determinism` is run_to_run
    void set_winner(std::int64_t sweep, std::uint64_t n, Regime regime, Determinism determinism,
                    std::int64_t measurement, std::string_view decided_by, std::optional<double> runner_up_ratio,
                    const std::vector<DataRatio>& data = uniform_only);

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
    std::optional<StoredWinner> winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                                       Determinism determinism) const;
    /// Returns the problems that have sweeps for a device, those of the latest sweep first. Their determinism is `any`.
    std::vector<Problem> problems(const DeviceInfo& device) const;
    /// Returns all devices, sorted by name. Their `uuid` is empty.
    std::vector<DeviceInfo> devices() const;
    /// Returns the sizes that have measurements, in ascending order. If `stage` is given, only its measurements count.
    std::vector<std::uint64_t> recorded_sizes(const DeviceInfo& device, const Problem& problem, Regime regime,
                                              std::optional<Stage> stage = std::nullopt) const;

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
