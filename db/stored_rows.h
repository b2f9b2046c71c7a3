#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/shape.h"
#include "db/statement.h"
#include "db/store.h"
#include "redtune/error.h"

namespace redtune::db {

/// Reads the columns of the statement's current row one after another.
class Row {
  public:
    explicit Row(const Statement& statement) : statement_(statement) {}

    std::string text() { return statement_.text(next_++); }
    double real() { return statement_.real(next_++); }
    template <class Integer = std::int64_t>
    Integer integer() {
        return static_cast<Integer>(statement_.integer(next_++));
    }
    std::optional<double> optional_real() { return skip_null() ? std::nullopt : std::optional(real()); }
    template <class Integer>
    std::optional<Integer> optional_integer() {
        return skip_null() ? std::nullopt : std::optional(integer<Integer>());
    }

  private:
    bool skip_null() {
        if (!statement_.is_null(next_)) return false;
        ++next_;
        return true;
    }

    const Statement& statement_;
    int next_ = 0;
};

// The columns of a row, each list with the function that reads these columns in the same order. The functions throw
// InputError for a text that cannot be parsed.

inline constexpr std::string_view measurement_columns =
    "measurement.id, family.name, configuration.parameters, family.code_hash, configuration.launch_rule, "
    "configuration.deterministic, device_unit.uuid, measurement.n, regime.name, measurement.grid, measurement.block, "
    "status.name, stage.name, measurement.reason, measurement.samples, measurement.median_us, "
    "measurement.interquartile_us, measurement.rejected, measurement.calls_per_sample, "
    "measurement.floor_us, measurement.registers, measurement.shared_bytes, measurement.spill_bytes, "
    "measurement.sm_mhz, measurement.memory_mhz, measurement.temperature_c, measurement.power_w, "
    "measurement.throttle_reasons, strftime('%Y-%m-%dT%H:%M:%SZ', measurement.measured_at, 'unixepoch'), data.name";

StoredMeasurement read_measurement(Row& row);

inline constexpr std::string_view device_columns =
    "device.name, device.compute_major, device.compute_minor, device.sm_count, device.memory_bytes, device.l2_bytes, "
    "device.mig_profile, device.max_threads_per_sm, device.max_shared_bytes_per_block, device.peak_gb_per_s";

DeviceInfo read_device(Row& row);

inline constexpr std::string_view problem_columns =
    "problem.op, problem.input_type, problem.accumulator_type, problem.output_type, problem.shape, "
    "problem.input_bytes";

Problem read_problem(Row& row);

/// read_winner() reads problem_columns, these, device_columns and measurement_columns.
inline constexpr std::string_view winner_columns =
    "winner.determinism, winner.n, regime.name, winner.decided_by, winner.runner_up_ratio, sweep.source, "
    "toolchain.redtune_version, toolchain.nvrtc_version, toolchain.driver_version, "
    "winner.units, winner.spread, winner.least_n, winner.most_n, winner.data_ratios, winner.effort";

StoredWinner read_winner(Row& row);

/// SQL that joins a measurement with the other tables of the columns above.
inline constexpr std::string_view measurement_joins =
    "JOIN regime ON regime.id = measurement.regime_id JOIN stage ON stage.id = measurement.stage_id "
    "JOIN status ON status.id = measurement.status_id "
    "JOIN sweep ON sweep.id = measurement.sweep_id JOIN device ON device.id = sweep.device_id "
    "JOIN problem ON problem.id = sweep.problem_id JOIN toolchain ON toolchain.id = sweep.toolchain_id "
    "JOIN configuration ON configuration.id = measurement.configuration_id "
    "JOIN family ON family.id = configuration.family_id JOIN data ON data.id = measurement.data_id "
    "LEFT JOIN device_unit ON device_unit.id = sweep.device_unit_id";

/// SQL condition that selects a device. bind_device() binds its parameters ?1 to ?7.
inline constexpr std::string_view is_device =
    "device.name = ?1 AND device.compute_major = ?2 AND device.compute_minor = ?3 AND device.sm_count = ?4 "
    "AND device.memory_gib = ?5 AND device.l2_bytes = ?6 AND device.mig_profile = ?7";

template <class... More>
void bind_device(Statement& statement, const DeviceInfo& device, const More&... more) {
    statement.bind(device.name, device.compute_major, device.compute_minor, device.sm_count, device.memory_gib(),
                   device.l2_bytes, device.mig_profile, more...);
}

/// SQL condition that selects a device and a problem. bind_device_and_problem() binds its parameters ?1 to ?12.
inline const std::string is_subject = fmt::format(
    "{} AND problem.op = ?8 AND problem.input_type = ?9 AND problem.accumulator_type = ?10 "
    "AND problem.output_type = ?11 AND problem.shape = ?12",
    is_device);

template <class... More>
void bind_device_and_problem(Statement& statement, const DeviceInfo& device, const Problem& problem,
                             const More&... more) {
    bind_device(statement, device, problem.op, to_string(problem.input), to_string(problem.accumulator),
                to_string(problem.output), stored_shape(problem), more...);
}

/// A scope guard: resets a statement at the end, so that it holds no lock.
class ResetAtEnd {
  public:
    explicit ResetAtEnd(Statement& statement) : statement_(statement) {}
    ResetAtEnd(const ResetAtEnd&) = delete;
    ResetAtEnd& operator=(const ResetAtEnd&) = delete;
    ~ResetAtEnd() { statement_.reset(); }

  private:
    Statement& statement_;
};

/// Returns the list of read(row) for all rows of a statement.
/// @throws DatabaseError if the text of a row cannot be parsed
template <class Read>
auto read_all(Statement& statement, const std::filesystem::path& file, Read read) {
    const ResetAtEnd reset(statement);
    std::vector<decltype(read(std::declval<Row&>()))> found;
    try {
        while (statement.step()) {
            Row row(statement);
            found.push_back(read(row));
        }
    } catch (const InputError& error) {
        throw DatabaseError(
            fmt::format("{} holds a row that this version cannot read: {}; was it written by a newer "
                        "redtune, or by hand?",
                        file.string(), error.what()));
    }
    return found;
}

}  // namespace redtune::db
