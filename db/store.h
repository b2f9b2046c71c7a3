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
#include "tuner/core/device_info.h"
#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"

namespace redtune::db {

class Connection;

enum class Access {
    read_write,  ///< folders and file are made where there are none; an older file is upgraded after a copy
    read_only,   ///< sees what others commit; an older file is upgraded in memory only
    immutable    ///< as read_only, for files that nobody changes: no locks, works in folders that cannot be written
};

/// A measurement with what it was taken of.
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
    Problem problem;  ///< with the determinism that it won under
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    StoredMeasurement measurement;
    std::string decided_by;
    std::optional<double> runner_up_ratio;  ///< runner-up's time / winner's time
    std::string source;                     ///< "gpu" or "replay:NAME"
};

/// A redtune database file. Not thread-safe: one per thread; any number of stores and processes may hold a file.
///
/// Every member throws DatabaseError where the file cannot be read or written, or where another process holds it
/// for longer than 10 s. Members that write need Access::read_write.
class Store {
  public:
    /// @throws DatabaseError also for what is not a SQLite file, not redtune's, or written by a newer redtune; the
    /// file is then left as it is. A file of no bytes is an empty database.
    static Store open(const std::filesystem::path& file, Access access);
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    const std::filesystem::path& file() const noexcept;
    /// As SQLite names it: "wal", "delete", or "memory" for a file of an older version that is open to read only.
    std::string journal_mode() const;

    /// @param source "gpu" or "replay:NAME"
    /// @param command the command line, for people
    std::int64_t begin_sweep(const DeviceInfo& device, const Problem& problem, const ToolchainInfo& toolchain,
                             std::string_view source, std::string_view command);
    /// @param status "finished", "interrupted" or "failed"
    void finish_sweep(std::int64_t sweep, std::string_view status);

    /// Committed on return: what was recorded survives this process's end, however it ends.
    /// @param code_hash the family's
    /// @return the measurement's id
    std::int64_t record(std::int64_t sweep, const Trial& trial, std::string_view code_hash, std::uint64_t n,
                        Regime regime, const LaunchPlan& plan, const Measurement& measurement);

    /// Replaces the winner of the sweep's device and problem at this size, regime and determinism.
    /// @throws DatabaseError where the measurement is not of that device, problem, size and regime, is not ok, or is
    /// not deterministic while run_to_run asks for it.
    void set_winner(std::int64_t sweep, std::uint64_t n, Regime regime, Determinism determinism,
                    std::int64_t measurement, std::string_view decided_by, std::optional<double> runner_up_ratio);

    /// Makes the winners anew from the measurements. For each device, problem, regime, size and determinism: a GPU's
    /// before a replay's, then those of the latest stage, then the lowest median, then the first recorded. What
    /// paired rounds decided in a sweep is lost by this.
    void rebuild_winners();

    /// Those of a device (by its key), a problem (whatever its determinism), a size and a regime, by id.
    /// @param toolchain nullopt: any
    std::vector<StoredMeasurement> measurements(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                                Regime regime, const std::optional<ToolchainInfo>& toolchain) const;
    /// By device, problem, regime, determinism and n.
    std::vector<StoredWinner> winners() const;
    std::optional<StoredWinner> winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n, Regime regime,
                                       Determinism determinism) const;
    /// The problems that a device was swept for, the latest sweep's first. Determinism is not kept.
    std::vector<Problem> problems(const DeviceInfo& device) const;
    /// By name; without a uuid.
    std::vector<DeviceInfo> devices() const;
    /// Sizes that have measurements (of one stage, if it is given), ascending.
    std::vector<std::uint64_t> recorded_sizes(const DeviceInfo& device, const Problem& problem, Regime regime,
                                              std::optional<Stage> stage = std::nullopt) const;

    /// For db/inspection.h.
    const Connection& connection() const noexcept;

  private:
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace redtune::db
