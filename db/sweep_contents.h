#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "db/store.h"

namespace redtune::db {

/// A sweep, and how many measurements the file has of it.
struct SweepSummary {
    std::int64_t id = 0;
    DeviceInfo device;  ///< `device.uuid` is that of the GPU; empty: unknown, or a replay
    Problem problem;    ///< its determinism is `any`
    ToolchainInfo toolchain;
    std::string started_at;               ///< ISO 8601, UTC
    std::optional<std::int64_t> seconds;  ///< duration; empty: still runs, or was killed
    std::string status;
    std::string source;  ///< "gpu" or "replay:NAME"
    std::string command;
    std::int64_t measurements = 0;
    std::int64_t failures = 0;          ///< measurements that are not ok
    std::int64_t rejected_samples = 0;  ///< samples that were discarded because the clock was throttled
    std::int64_t throttled = 0;         ///< measurements during which the driver reported a limited clock
};

/// The successful measurements of a sweep at one size, in one regime, on one kind of data. They are sorted by stage,
/// then in the order in which they were taken.
struct SweepCell {
    Regime regime = Regime::cold;
    std::uint64_t n = 0;
    std::string data;
    std::array<std::size_t, 3> of_stage = {};  ///< number of measurements of each Stage
    std::vector<std::int64_t> configurations;  ///< ids, keys of configurations()
    std::vector<double> times_us;              ///< medians
};

/// The state of the GPU during a part of a sweep. A value that was never read is empty.
struct SweepState {
    std::int64_t second = 0;  ///< begin of the part, in seconds since the sweep's first measurement
    std::optional<double> least_sm_mhz;
    std::optional<double> most_sm_mhz;
    std::optional<double> temperature_c;  ///< the highest
    std::optional<double> power_w;        ///< the highest
};

/// Failures of one family at one sweep that have the same status and reason.
struct SweepFailures {
    std::int64_t sweep = 0;
    std::string family;
    std::string status;
    std::string reason;
    std::int64_t count = 0;
    std::uint64_t least_n = 0;
    std::uint64_t most_n = 0;
    Configuration example;         ///< configuration of one of these measurements
    std::int64_t measurement = 0;  ///< id of the same measurement
};

/// The time of a winner on one unit of its device.
struct UnitTime {
    DeviceInfo device;  ///< `device.uuid` is that of the unit; empty: unknown, or a replay
    Problem problem;    ///< its determinism is that under which the winner won
    Regime regime = Regime::cold;
    std::uint64_t n = 0;
    double us = 0;
    double ratio = 0;  ///< time / best time of a finalist on this unit
};

// These functions throw DatabaseError as the members of Store do.

/// Returns all sweeps, sorted by id.
std::vector<SweepSummary> sweep_summaries(const Store& store);
/// Returns all configurations by their ids, as they were recorded.
std::map<std::int64_t, Configuration> configurations(const Store& store);
/// Returns the cells of one sweep, sorted by regime, n and data.
std::vector<SweepCell> sweep_cells(const Store& store, std::int64_t sweep);
/// Returns the states of the GPU through one sweep, for at most `parts` parts of equal duration. Parts without a
/// measurement are left out. In a replay, the times are those of the recording.
std::vector<SweepState> sweep_states(const Store& store, std::int64_t sweep, std::uint32_t parts);
/// Returns the failures of all sweeps, the most frequent first.
std::vector<SweepFailures> sweep_failures(const Store& store);
/// Returns the times of the winners on the units of their devices, for winners that several units were compared for.
std::vector<UnitTime> unit_times(const Store& store);

}  // namespace redtune::db
