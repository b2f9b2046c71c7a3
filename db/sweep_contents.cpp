#include "db/sweep_contents.h"

#include <fmt/format.h>

#include "db/connection.h"
#include "db/stored_rows.h"

namespace redtune::db {

namespace {

/// The bits of NVML's mask that limit the clocks: power cap, slowdowns by temperature or hardware, power brake. An idle
/// GPU and clocks that a user set are no throttling.
constexpr int throttling_bits = 0x04 | 0x08 | 0x20 | 0x40 | 0x80;

template <class Read>
auto select_rows(const Store& store, const std::string& sql, Read read) {
    Statement statement = store.connection().prepare(sql);
    return read_all(statement, store.file(), read);
}

SweepSummary read_sweep(Row& row) {
    SweepSummary sweep;
    sweep.id = row.integer();
    sweep.device = read_device(row);
    sweep.device.uuid = row.text();
    sweep.problem = read_problem(row);
    sweep.toolchain = {row.text(), row.text(), row.text()};
    sweep.started_at = row.text();
    sweep.seconds = row.optional_integer<std::int64_t>();
    sweep.status = row.text();
    sweep.source = row.text();
    sweep.command = row.text();
    sweep.measurements = row.integer();
    sweep.failures = row.integer();
    sweep.rejected_samples = row.integer();
    sweep.throttled = row.integer();
    return sweep;
}

SweepFailures read_failures(Row& row) {
    SweepFailures failures;
    failures.sweep = row.integer();
    failures.family = row.text();
    failures.status = row.text();
    failures.reason = row.text();
    failures.count = row.integer();
    failures.least_n = row.integer<std::uint64_t>();
    failures.most_n = row.integer<std::uint64_t>();
    failures.measurement = row.integer();
    failures.example = {failures.family, parameters_from_json(row.text())};
    return failures;
}

}  // namespace

std::vector<SweepSummary> sweep_summaries(const Store& store) {
    return select_rows(
        store,
        fmt::format(
            "SELECT sweep.id, {}, device_unit.uuid, {}, toolchain.redtune_version, toolchain.nvrtc_version, "
            "toolchain.driver_version, strftime('%Y-%m-%dT%H:%M:%SZ', sweep.started_at, 'unixepoch'), "
            "sweep.finished_at - sweep.started_at, sweep.status, sweep.source, sweep.command, "
            "count(measurement.id), coalesce(sum(measurement.status_id <> 0), 0), "
            "coalesce(sum(measurement.rejected), 0), "
            "coalesce(sum(measurement.throttle_reasons & {} <> 0), 0) "
            "FROM sweep JOIN device ON device.id = sweep.device_id JOIN problem ON problem.id = sweep.problem_id "
            "JOIN toolchain ON toolchain.id = sweep.toolchain_id "
            "LEFT JOIN device_unit ON device_unit.id = sweep.device_unit_id "
            "LEFT JOIN measurement ON measurement.sweep_id = sweep.id GROUP BY sweep.id ORDER BY sweep.id",
            device_columns, problem_columns, throttling_bits),
        read_sweep);
}

std::map<std::int64_t, Configuration> configurations(const Store& store) {
    std::map<std::int64_t, Configuration> found;
    select_rows(store,
                "SELECT configuration.id, family.name, configuration.parameters FROM configuration JOIN family ON "
                "family.id = configuration.family_id",
                [&found](Row& row) {
                    const std::int64_t id = row.integer();
                    std::string family = row.text();
                    found[id] = {std::move(family), parameters_from_json(row.text())};
                    return id;
                });
    return found;
}

std::vector<SweepCell> sweep_cells(const Store& store, std::int64_t sweep) {
    Statement statement = store.connection().prepare(
        "SELECT regime.name, measurement.n, data.name, measurement.stage_id, measurement.configuration_id, "
        "measurement.median_us FROM measurement JOIN regime ON regime.id = measurement.regime_id "
        "JOIN data ON data.id = measurement.data_id WHERE measurement.sweep_id = ?1 AND measurement.status_id = 0 "
        "ORDER BY measurement.regime_id, measurement.n, data.name, measurement.stage_id, measurement.id");
    statement.bind(sweep);
    std::vector<SweepCell> cells;
    read_all(statement, store.file(), [&cells](Row& row) {
        SweepCell key;
        key.regime = parse_regime(row.text());
        key.n = row.integer<std::uint64_t>();
        key.data = row.text();
        const bool is_new = cells.empty() || cells.back().regime != key.regime || cells.back().n != key.n ||
                            cells.back().data != key.data;
        if (is_new) cells.push_back(std::move(key));
        ++cells.back().of_stage.at(row.integer<std::size_t>());
        cells.back().configurations.push_back(row.integer());
        cells.back().times_us.push_back(row.real());
        return is_new;
    });
    return cells;
}

std::vector<SweepState> sweep_states(const Store& store, std::int64_t sweep, std::uint32_t parts) {
    // A part is so many whole seconds that there are at most `parts` parts.
    Statement statement = store.connection().prepare(
        "WITH measured AS (SELECT measured_at - min(measured_at) OVER () AS second, sm_mhz, temperature_c, power_w "
        "FROM measurement WHERE sweep_id = ?1), part AS (SELECT max(second) / ?2 + 1 AS seconds FROM measured) "
        "SELECT second / part.seconds * part.seconds AS begin, min(sm_mhz), max(sm_mhz), max(temperature_c), "
        "max(power_w) FROM measured, part GROUP BY begin "
        "HAVING count(sm_mhz) + count(temperature_c) + count(power_w) > 0 ORDER BY begin");
    statement.bind(sweep, parts);
    return read_all(statement, store.file(), [](Row& row) {
        SweepState state;
        state.second = row.integer();
        state.least_sm_mhz = row.optional_real();
        state.most_sm_mhz = row.optional_real();
        state.temperature_c = row.optional_real();
        state.power_w = row.optional_real();
        return state;
    });
}

std::vector<SweepFailures> sweep_failures(const Store& store) {
    return select_rows(store,
                       "SELECT alike.*, configuration.parameters FROM "
                       "(SELECT measurement.sweep_id, family.name AS family, status.name AS status, "
                       "coalesce(measurement.reason, '') AS reason, count(*) AS failures, min(measurement.n), "
                       "max(measurement.n), max(measurement.id) AS example "
                       "FROM measurement JOIN status ON status.id = measurement.status_id "
                       "JOIN configuration ON configuration.id = measurement.configuration_id "
                       "JOIN family ON family.id = configuration.family_id WHERE measurement.status_id <> 0 "
                       "GROUP BY measurement.sweep_id, family.name, status.name, measurement.reason) AS alike "
                       "JOIN measurement ON measurement.id = alike.example "
                       "JOIN configuration ON configuration.id = measurement.configuration_id "
                       "ORDER BY failures DESC, alike.sweep_id, family, status, reason",
                       read_failures);
}

std::vector<UnitTime> unit_times(const Store& store) {
    const std::string sql = fmt::format(
        "SELECT {}, {}, unit_times.uuid, unit_times.regime, unit_times.n, unit_times.determinism, unit_times.time_us, "
        "unit_times.ratio FROM unit_times JOIN measurement ON measurement.id = unit_times.measurement_id "
        "JOIN sweep ON sweep.id = measurement.sweep_id JOIN device ON device.id = sweep.device_id "
        "JOIN problem ON problem.id = sweep.problem_id "
        "JOIN regime ON regime.name = unit_times.regime "
        "JOIN winner ON winner.device_id = device.id AND winner.problem_id = problem.id "
        "AND winner.regime_id = regime.id AND winner.n = unit_times.n "
        "AND winner.determinism = unit_times.determinism WHERE winner.units > 1",
        device_columns, problem_columns);
    return select_rows(store, sql, [](Row& row) {
        UnitTime time;
        time.device = read_device(row);
        time.problem = read_problem(row);
        time.device.uuid = row.text();
        time.regime = parse_regime(row.text());
        time.n = row.integer<std::uint64_t>();
        time.problem.determinism = parse_determinism(row.text());
        time.us = row.real();
        time.ratio = row.real();
        return time;
    });
}

}  // namespace redtune::db
