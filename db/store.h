#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"
#include "tuner/core/configuration.h"
#include "tuner/core/device_info.h"
#include "tuner/core/measurement.h"

namespace redtune::db {

class Connection;

enum class Access {
    read_write,  ///< makes missing folders and the file; copies an older file and upgrades it
    read_only,   ///< sees what other processes commit; upgrades a copy in memory of an older file
    immutable    ///< as read_only, but takes no locks and needs no write permission: for files that nobody changes
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

struct StoredWinner {
    DeviceInfo device;
    Problem problem;  ///< its determinism is the one that the measurement won under
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    StoredMeasurement measurement;
    std::string decided_by;                 ///< see search/choose.h
    std::optional<double> runner_up_ratio;  ///< runner-up's time / winner's time
    std::string source;                     ///< "gpu" or "replay:NAME"
};

/// What Store::repair_winners did.
struct RepairedWinners {
    std::int64_t removed = 0;   ///< winners that were not sound
    std::int64_t replaced = 0;  ///< removed winners for which another measurement was found
};

/// A redtune database file. Not thread-safe: each thread needs its own store. Any number of stores and processes may
/// have the same file open.
///
/// Every member throws DatabaseError if the file cannot be read or written, or if another process locks it for longer
/// than 10 s. Members that write need Access::read_write.
class Store {
  public:
    /// Opens a file. A file of 0 bytes is an empty database.
    /// @throws DatabaseError also for a file that is not SQLite's, not redtune's, or of a newer redtune; the file is
    /// not changed then.
    static Store open(const std::filesystem::path& file, Access access);
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    const std::filesystem::path& file() const noexcept;
    /// Returns SQLite's name of the journal mode: "wal", "delete", or "memory" for a file of an older version that was
    /// upgraded in memory.
    std::string journal_mode() const;

    /// Adds a sweep whose status is "running", and returns its id.
    /// @param source "gpu" or "replay:NAME"
    /// @param command the command line, for people
    std::int64_t begin_sweep(const DeviceInfo& device, const Problem& problem, const ToolchainInfo& toolchain,
                             std::string_view source, std::string_view command);
    /// @param status "finished", "interrupted" or "failed"
    void finish_sweep(std::int64_t sweep, std::string_view status);

    /// Stores one measurement and commits it, so that it survives a killed process.
    /// @param code_hash the code hash of the candidate's family
    /// @return the measurement's id
    std::int64_t record(std::int64_t sweep, const Candidate& candidate, std::string_view code_hash, std::uint64_t n,
                        Regime regime, const LaunchPlan& plan, const Measurement& measurement);

    /// Sets or replaces the winner of the sweep's device and problem at this size, regime and determinism.
    /// @throws DatabaseError if the measurement is not of that device, problem, size and regime, is not ok, or is not
    /// deterministic although `determinism` is run_to_run
    void set_winner(std::int64_t sweep, std::uint64_t n, Regime regime, Determinism determinism,
                    std::int64_t measurement, std::string_view decided_by, std::optional<double> runner_up_ratio);

    /// Replaces the winners that are not sound (see unsound_winners.h); the others stay. The replacement is the best
    /// measurement of the same device, problem, regime, size and determinism: measurements of a GPU come before those
    /// of a replay, then later stages before earlier ones, then the lowest median counts, then the lowest id.
    RepairedWinners repair_winners();

    /// Returns the measurements of a device, a problem (its determinism is ignored), a size and a regime, by id.
    /// @param toolchain only measurements with these versions; nullopt: all
    std::vector<StoredMeasurement> measurements(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                                Regime regime, const std::optional<ToolchainInfo>& toolchain) const;
    /// Returns all winners by device, problem, regime, determinism and n.
    std::vector<StoredWinner> winners() const;
    std::optional<StoredWinner> winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                                       Determinism determinism) const;
    /// Returns the problems that a device was swept for, the latest sweep's first. Their determinism is `any`.
    std::vector<Problem> problems(const DeviceInfo& device) const;
    /// Returns all devices by name; their uuid is empty.
    std::vector<DeviceInfo> devices() const;
    /// Returns the sizes that have measurements, ascending.
    std::vector<std::uint64_t> recorded_sizes(const DeviceInfo& device, const Problem& problem, Regime regime) const;

    /// Returns the connection, for the queries of db/inspection.h.
    const Connection& connection() const noexcept;

  private:
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace redtune::db
