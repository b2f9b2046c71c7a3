#include "db/inspection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "db/connection.h"
#include "db/measurement_counts.h"
#include "db/migration.h"
#include "db/unsound_winners.h"

namespace redtune::db {

namespace {

Field field(const Statement& row, int column) {
    if (row.is_null(column)) return std::monostate{};
    if (row.is_integer(column)) return row.integer(column);
    if (row.is_real(column)) return row.real(column);
    return row.text(column);
}

template <class... Values>
Listing list(const Store& store, std::string_view sql, const Values&... values) {
    Statement statement = store.connection().prepare(sql);
    Listing listing;
    for (int i = 0; i < statement.columns(); ++i) listing.columns.push_back(statement.name(i));
    statement.bind(values...);
    while (statement.step()) {
        auto& row = listing.rows.emplace_back();
        for (int i = 0; i < statement.columns(); ++i) row.push_back(field(statement, i));
    }
    return listing;
}

/// Returns the finding of a check: sound if the query returns no rows; else the detail of the finding lists the first
/// column of up to 10 rows.
Finding expect_none(const Store& store, std::string check, std::string_view sql) {
    constexpr std::size_t most_shown = 10;
    Statement statement = store.connection().prepare(sql);
    std::vector<std::string> found;
    while (found.size() < most_shown && statement.step()) found.push_back(statement.text(0));
    return {std::move(check), found.empty(), fmt::format("{}", fmt::join(found, "; "))};
}

}  // namespace

std::size_t Listing::column(std::string_view name) const {
    return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
}

Listing list_winners(const Store& store, const WinnerFilter& filter) {
    // `+device` keeps SQLite from reading in the order of the devices, where it would find winners by all measurements.
    return list(store,
                "SELECT * FROM winners WHERE (?1 IS NULL OR op = ?1) AND (?2 IS NULL OR dtype = ?2) "
                "AND (?3 IS NULL OR device = ?3) AND (?4 IS NULL OR regime = ?4) "
                "ORDER BY +device, op, dtype, shape, accumulator_type, output_type, regime, n, determinism",
                filter.op, filter.dtype, filter.device, filter.regime);
}

Listing list_sweeps(const Store& store, std::uint32_t most) {
    return list(store, "SELECT * FROM sweeps ORDER BY sweep_id DESC LIMIT ?1", most);
}

Listing list_failures(const Store& store) {
    return list(store,
                "SELECT device, family, status, reason, count(*) AS failures, max(measurement_id) AS measurement_id "
                "FROM failures GROUP BY device, family, status, reason ORDER BY failures DESC, measurement_id");
}

Listing list_measurement(const Store& store, std::int64_t id) {
    return list(
        store,
        "SELECT measurements.*, (SELECT group_concat(determinism || ' (' || decided_by || ')', ', ') "
        "FROM winner WHERE winner.measurement_id = measurements.measurement_id) AS winner_for_determinism, "
        "(SELECT uuid FROM sweeps WHERE sweeps.sweep_id = measurements.sweep_id) AS uuid, "
        "winner.units, winner.spread, winner.data_ratios AS winner_data_ratios, winner.effort AS winner_effort, "
        "(SELECT group_concat(format('%s: %.5g us (%.4f)', coalesce(uuid, 'unknown'), time_us, ratio), ', ') "
        "FROM unit_times JOIN measurement AS own ON own.id = unit_times.measurement_id "
        "JOIN measurement AS won ON won.id = ?1 AND won.configuration_id = own.configuration_id "
        "WHERE unit_times.determinism = winner.determinism AND (unit_times.n, unit_times.device, unit_times.op, "
        "unit_times.dtype, unit_times.shape, unit_times.regime) = (measurements.n, measurements.device, "
        "measurements.op, measurements.dtype, measurements.shape, measurements.regime)) AS unit_times "
        "FROM measurements LEFT JOIN (SELECT *, min(determinism) FROM winner WHERE measurement_id = ?1) AS winner "
        "ON winner.measurement_id = measurements.measurement_id "
        "WHERE measurements.measurement_id = ?1",
        id);
}

bool has_sweep(const Store& store, std::int64_t id) {
    return store.connection().prepare("SELECT id FROM sweep WHERE id = ?1").bind(id).value().has_value();
}

ToolchainInfo toolchain_of(const Store& store, std::int64_t measurement) {
    Statement statement = store.connection().prepare(
        "SELECT redtune_version, nvrtc_version, driver_version FROM measurement JOIN sweep ON sweep.id = "
        "measurement.sweep_id JOIN toolchain ON toolchain.id = sweep.toolchain_id WHERE measurement.id = ?1");
    statement.bind(measurement);
    if (!statement.step()) return {};
    return {statement.text(0), statement.text(1), statement.text(2)};
}

Listing list_contents(const Store& store) {
    return list(store, R"sql(
        SELECT device.name AS device, problem.op, problem.input_type AS dtype, problem.shape,
               problem.accumulator_type, problem.output_type, regime.name AS regime,
               count(DISTINCT counted.n) AS sizes, min(counted.n) AS smallest_n, max(counted.n) AS largest_n,
               sum(counted.measurements) AS measurements, sum(counted.failures) AS failures,
               (SELECT count(*) FROM winner WHERE winner.device_id = device.id AND winner.problem_id = problem.id
                    AND winner.regime_id = regime.id) AS winners,
               count(DISTINCT sweep.id) AS sweeps,
               strftime('%Y-%m-%dT%H:%M:%SZ', max(counted.last_measured_at), 'unixepoch') AS last_measured_at,
               max(0, unixepoch() - max(counted.last_measured_at)) / 86400 AS age_days
        FROM measurement_count AS counted
        JOIN regime ON regime.id = counted.regime_id
        JOIN sweep ON sweep.id = counted.sweep_id
        JOIN device ON device.id = sweep.device_id
        JOIN problem ON problem.id = sweep.problem_id
        GROUP BY device.id, problem.id, regime.id
        ORDER BY device.name, device.id, problem.op, problem.input_type, problem.shape, problem.id, regime.id)sql");
}

std::vector<Finding> check(const Store& store) {
    const Connection& connection = store.connection();
    const std::int64_t id = connection.value("PRAGMA application_id");
    const int version = schema_version(connection);
    std::vector<Finding> findings;
    findings.push_back(
        expect_none(store, "integrity", "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'"));
    findings.push_back(expect_none(store, "foreign_keys",
                                   "SELECT format('row %d of %s refers to a %s that is not there', \"rowid\", "
                                   "\"table\", \"parent\") FROM pragma_foreign_key_check"));
    findings.push_back({"application_id", id == application_id, fmt::format("{:#x}", id)});
    findings.push_back({"schema_version", version == embedded_migrations().back().version, fmt::format("{}", version)});
    findings.push_back(expect_none(store, "strict_tables",
                                   "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                                   "AND name NOT GLOB 'sqlite_*' AND NOT strict"));
    findings.push_back(expect_none(
        store, "winners",
        fmt::format(
            "SELECT format('measurement %d cannot win at n = %d: %s', measurement_id, n, why) FROM ({} UNION {})",
            unsound_winners("winner"), unsound_winners("unit_winner"))));
    findings.push_back(expect_none(store, "measurement_counts",
                                   fmt::format("SELECT format('sweep %d, regime %d, n = %d', sweep_id, regime_id, n) "
                                               "FROM ({})",
                                               wrong_measurement_counts())));
    return findings;
}

}  // namespace redtune::db
