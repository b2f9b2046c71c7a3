#include <fmt/format.h>

#include "db/shape.h"
#include "db/store.h"
#include "db/store_impl.h"
#include "db/stored_rows.h"
#include "tuner/core/complete.h"

namespace redtune::db {

namespace {

/// SQL condition that selects the measurements of a cell that meet a rule, except for MeasurementRule::within. The
/// subqueries let SQLite find the cell in the index measurement_by_cell; with conditions on the joined tables it reads
/// the whole index.
const std::string is_selected = fmt::format(
    "measurement.sweep_id IN (SELECT sweep.id FROM sweep JOIN device ON device.id = sweep.device_id "
    "JOIN problem ON problem.id = sweep.problem_id WHERE {}) "
    "AND measurement.regime_id = (SELECT id FROM regime WHERE name = ?14) AND measurement.n = ?13 "
    "AND (?15 = 0 OR (toolchain.redtune_version = ?16 AND toolchain.nvrtc_version = ?17 "
    "AND toolchain.driver_version = ?18)) AND (?19 IS NULL OR data.name = ?19) "
    "AND (?20 IS NULL OR stage.name = ?20) AND (?21 = 0 OR status.name <> 'ok') "
    "AND (?22 IS NULL OR family.name = ?22)",
    is_subject);

}  // namespace

std::vector<StoredMeasurement> Store::measurements(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                                   Regime regime, const MeasurementRule& rule) const {
    const auto bind = [&](Statement& statement) {
        const ToolchainInfo toolchain = rule.toolchain.value_or(ToolchainInfo());
        bind_device_and_problem(statement, device, problem, n, to_string(regime), rule.toolchain.has_value(),
                                toolchain.redtune_version, toolchain.nvrtc_version, toolchain.driver_version, rule.data,
                                rule.stage ? std::optional(to_string(*rule.stage)) : std::nullopt, rule.has_failed,
                                rule.family);
    };
    std::optional<double> most_us;
    if (rule.within) {
        static const std::string least_sql =
            fmt::format("SELECT min(measurement.median_us) FROM measurement {} WHERE {} AND status.name = 'ok'",
                        measurement_joins, is_selected);
        Statement& least = impl_->statement(least_sql);
        const ResetAtEnd reset(least);
        bind(least);
        if (!least.step() || least.is_null(0)) return {};
        most_us = *rule.within * least.real(0);
    }
    static const std::string sql = fmt::format(
        "SELECT {} FROM measurement {} WHERE {} AND (?23 IS NULL OR (status.name = 'ok' "
        "AND measurement.median_us <= ?23)) ORDER BY measurement.id",
        measurement_columns, measurement_joins, is_selected);
    Statement& statement = impl_->statement(sql);
    bind(statement);
    statement.bind_value(23, most_us);
    std::vector<StoredMeasurement> found = read_all(statement, impl_->file, read_measurement);
    for (StoredMeasurement& stored : found) stored.configuration = complete(stored.configuration, impl_->families);
    return found;
}

std::vector<std::uint64_t> Store::checked_sizes(const DeviceInfo& device, const Problem& problem, Regime regime) const {
    Statement statement = impl_->connection.prepare(fmt::format(
        "SELECT size_check.n FROM size_check JOIN device ON device.id = size_check.device_id "
        "JOIN problem ON problem.id = size_check.problem_id JOIN regime ON regime.id = size_check.regime_id "
        "WHERE {} AND regime.name = ?13 ORDER BY size_check.n",
        is_subject));
    bind_device_and_problem(statement, device, problem, to_string(regime));
    return read_all(statement, impl_->file, [](Row& row) { return row.integer<std::uint64_t>(); });
}

std::optional<MeasuredRegret> Store::regret(std::string_view device, const Problem& problem, Regime regime) const {
    Statement statement = impl_->connection.prepare(
        "SELECT regret FROM size_checks WHERE device = ?1 AND op = ?2 AND dtype = ?3 AND shape = ?4 AND regime = ?5 "
        "ORDER BY regret");
    statement.bind(device, problem.op, to_string(problem.input), stored_shape(problem), to_string(regime));
    const std::vector<double> regrets = read_all(statement, impl_->file, [](Row& row) { return row.real(); });
    if (regrets.empty()) return std::nullopt;
    return MeasuredRegret{regrets.size(), regrets[regrets.size() / 2], regrets.back()};
}

std::vector<Problem> Store::problems(const DeviceInfo& device) const {
    static const std::string sql = fmt::format(
        "SELECT {} FROM sweep JOIN device ON device.id = sweep.device_id JOIN problem ON problem.id = sweep.problem_id "
        "WHERE {} GROUP BY problem.id ORDER BY max(sweep.id) DESC",
        problem_columns, is_device);
    Statement& statement = impl_->statement(sql);
    bind_device(statement, device);
    return read_all(statement, impl_->file, read_problem);
}

std::string Store::latest_sweep_status(const DeviceInfo& device, const Problem& problem) const {
    Statement statement = impl_->connection.prepare(
        fmt::format("SELECT sweep.status FROM sweep JOIN device ON device.id = sweep.device_id "
                    "JOIN problem ON problem.id = sweep.problem_id WHERE {} ORDER BY sweep.id DESC LIMIT 1",
                    is_subject));
    bind_device_and_problem(statement, device, problem);
    return statement.step() ? statement.text(0) : "";
}

std::vector<DeviceInfo> Store::devices() const {
    Statement statement =
        impl_->connection.prepare(fmt::format("SELECT {} FROM device ORDER BY name, id", device_columns));
    return read_all(statement, impl_->file, read_device);
}

std::vector<std::uint64_t> Store::recorded_sizes(const DeviceInfo& device, const Problem& problem, Regime regime,
                                                 std::optional<Stage> stage) const {
    Statement statement = impl_->connection.prepare(
        fmt::format("SELECT DISTINCT measurement.n FROM measurement JOIN sweep ON sweep.id = measurement.sweep_id "
                    "JOIN device ON device.id = sweep.device_id JOIN problem ON problem.id = sweep.problem_id "
                    "JOIN regime ON regime.id = measurement.regime_id JOIN stage ON stage.id = measurement.stage_id "
                    "WHERE {} AND regime.name = ?13 AND (?14 IS NULL OR stage.name = ?14) ORDER BY measurement.n",
                    is_subject));
    bind_device_and_problem(statement, device, problem, to_string(regime),
                            stage ? std::optional(to_string(*stage)) : std::nullopt);
    return read_all(statement, impl_->file, [](Row& row) { return row.integer<std::uint64_t>(); });
}

}  // namespace redtune::db
