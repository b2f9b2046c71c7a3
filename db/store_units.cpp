#include <algorithm>

#include "db/data_ratios.h"
#include "db/store.h"
#include "db/store_impl.h"
#include "db/stored_rows.h"

namespace redtune::db {

namespace {

/// Leaves out the units that were searched with other code of a family than the first unit. They have no times of the
/// configurations of the first unit's code, so only configurations of families that did not change could win.
void erase_outdated(Connection& connection, std::vector<UnitFinalists>& units) {
    Statement is_outdated = connection.prepare(R"sql(
        WITH searched AS (
            SELECT DISTINCT unit_winner.id, family.name, family.code_hash
            FROM unit_winner
            JOIN measurement AS won ON won.id = unit_winner.measurement_id
            JOIN measurement ON (measurement.sweep_id, measurement.n, measurement.regime_id) =
                                (won.sweep_id, won.n, won.regime_id)
            JOIN configuration ON configuration.id = measurement.configuration_id
            JOIN family ON family.id = configuration.family_id
            WHERE unit_winner.id IN (?1, ?2)
        )
        SELECT EXISTS (SELECT 1 FROM searched JOIN searched AS other USING (name)
                       WHERE searched.code_hash <> other.code_hash))sql");
    const auto differs = [&](const UnitFinalists& unit) {
        is_outdated.bind(units.front().winner, unit.winner);
        return is_outdated.step() && is_outdated.integer(0) != 0;
    };
    units.erase(std::remove_if(units.begin() + 1, units.end(), differs), units.end());
}

}  // namespace

void Store::in_transaction(const std::function<void()>& work) {
    Transaction transaction(impl_->connection);
    work();
    transaction.commit();
}

std::vector<WinnerKey> Store::winner_keys() const {
    Statement rows = impl_->connection.prepare(
        "SELECT DISTINCT device_id, problem_id, regime_id, n, determinism FROM unit_winner ORDER BY 1, 2, 3, 4, 5");
    std::vector<WinnerKey> keys;
    while (rows.step()) {
        keys.push_back({rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3), rows.text(4)});
    }
    return keys;
}

std::optional<WinnerKey> Store::winner_key(std::int64_t measurement, Determinism determinism) const {
    Statement& row = impl_->statement(
        "SELECT sweep.device_id, sweep.problem_id, measurement.regime_id, measurement.n FROM measurement "
        "JOIN sweep ON sweep.id = measurement.sweep_id WHERE measurement.id = ?1");
    const ResetAtEnd reset(row);
    row.bind(measurement);
    if (!row.step()) return std::nullopt;
    return WinnerKey{row.integer(0), row.integer(1), row.integer(2), row.integer(3),
                     std::string(to_string(determinism))};
}

std::vector<UnitFinalists> Store::finalists_of_units(const WinnerKey& key) const {
    // The finalists of a unit are the measurements that its winner was compared with: those of the same sweep and
    // stage, on the same kinds of data. Kinds of data on which the file has no time of the winner are left out.
    Statement& rows = impl_->statement(R"sql(
        WITH unit AS (
            SELECT unit_winner.id, coalesce(device_unit.uuid, '') AS uuid, sweep.source, won.sweep_id, won.stage_id,
                   won.data_id, won.configuration_id AS won_configuration_id, won.measured_at, sweep.started_at,
                   sweep.identity, unit_winner.data_ratios, unit_winner.effort,
                   max(sweep.source = 'gpu') OVER () AS has_gpu
            FROM unit_winner
            JOIN measurement AS won ON won.id = unit_winner.measurement_id
            JOIN sweep ON sweep.id = won.sweep_id
            LEFT JOIN device_unit ON device_unit.id = unit_winner.device_unit_id
            WHERE unit_winner.device_id = ?1 AND unit_winner.problem_id = ?2 AND unit_winner.regime_id = ?3
              AND unit_winner.n = ?4 AND unit_winner.determinism = ?5
        ), timed AS (
            SELECT unit.*, compared.id AS place, compared.key AS data, measurement.id AS measurement_id,
                   measurement.configuration_id, measurement.median_us, measurement.registers,
                   measurement.data_id = unit.data_id AS is_on_first_data,
                   row_number() OVER (PARTITION BY unit.id, measurement.configuration_id, measurement.data_id
                                      ORDER BY measurement.id DESC) AS age
            FROM unit
            JOIN json_each(unit.data_ratios) AS compared
            JOIN data ON data.name = compared.key
            JOIN measurement ON measurement.sweep_id = unit.sweep_id AND measurement.stage_id = unit.stage_id
                AND measurement.regime_id = ?3 AND measurement.n = ?4 AND measurement.data_id = data.id
            JOIN status ON status.id = measurement.status_id
            WHERE status.name = 'ok' AND (unit.source = 'gpu' OR NOT unit.has_gpu)
        ), latest AS (
            SELECT *, max(configuration_id = won_configuration_id) OVER (PARTITION BY id, data) AS winner_was_timed
            FROM timed WHERE age = 1
        ), counted AS (
            SELECT *, count(*) OVER (PARTITION BY id, configuration_id) AS data_count,
                   max(measurement_id * is_on_first_data) OVER (PARTITION BY id, configuration_id) AS first_measurement_id
            FROM latest WHERE winner_was_timed
        ), ok_on_all_data AS (
            SELECT * FROM (SELECT *, max(data_count) OVER (PARTITION BY id) AS all_data FROM counted)
            WHERE data_count = all_data
        )
        SELECT finalist.id, uuid, source, configuration_id, first_measurement_id, configuration.deterministic, registers,
               data, median_us / min(median_us) OVER (PARTITION BY finalist.id, data), effort
        FROM ok_on_all_data AS finalist
        JOIN configuration ON configuration.id = configuration_id
        WHERE configuration.deterministic OR ?5 = 'any'
        ORDER BY measured_at DESC, started_at DESC, identity DESC, finalist.id, first_measurement_id, place)sql");
    const ResetAtEnd reset(rows);
    rows.bind(key.device, key.problem, key.regime, key.n, key.determinism);
    std::vector<UnitFinalists> units;
    while (rows.step()) {
        if (units.empty() || units.back().winner != rows.integer(0)) {
            units.push_back({rows.text(1), rows.text(2), rows.integer(0), rows.text(9), {}});
        }
        std::vector<UnitFinalist>& finalists = units.back().finalists;
        if (finalists.empty() || finalists.back().configuration != rows.integer(3)) {
            finalists.push_back({rows.integer(3),
                                 rows.integer(4),
                                 {},
                                 rows.integer(5) != 0,
                                 static_cast<std::uint32_t>(rows.integer(6))});
        }
        finalists.back().ratios.push_back({rows.text(7), rows.real(8)});
    }
    if (units.size() > 1) erase_outdated(impl_->connection, units);
    return units;
}

void Store::set_winner_of_unit(std::int64_t unit_winner) {
    impl_
        ->statement(
            "INSERT OR REPLACE INTO winner (device_id, problem_id, regime_id, n, determinism, measurement_id, "
            "decided_by, runner_up_ratio, least_n, most_n, data_ratios, effort) "
            "SELECT device_id, problem_id, regime_id, n, determinism, measurement_id, decided_by, runner_up_ratio, "
            "least_n, most_n, data_ratios, effort "
            "FROM unit_winner WHERE id = ?1")
        .bind(unit_winner)
        .run();
}

void Store::set_winner_of_units(const WinnerKey& key, const WinnerOfUnits& winner) {
    impl_
        ->statement(
            "INSERT OR REPLACE INTO winner (device_id, problem_id, regime_id, n, determinism, measurement_id, "
            "decided_by, runner_up_ratio, units, spread, data_ratios, effort, least_n, most_n) "
            // The range of sizes for which the configuration is a candidate comes from those winners of units, at any
            // size, that have this configuration and whose range contains n.
            "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, nullif(?12, ''), min(least_n), max(most_n) FROM ("
            "SELECT known.least_n, known.most_n FROM measurement AS won "
            "JOIN measurement ON measurement.configuration_id = won.configuration_id "
            "JOIN unit_winner AS known ON known.measurement_id = measurement.id WHERE won.id = ?6 "
            "AND known.device_id = ?1 AND known.problem_id = ?2 AND known.regime_id = ?3 "
            "AND ?4 BETWEEN known.least_n AND known.most_n)")
        .bind(key.device, key.problem, key.regime, key.n, key.determinism, winner.measurement, winner.decided_by,
              winner.runner_up_ratio, winner.units, winner.spread, data_ratios_to_json(winner.data), winner.effort)
        .run();
}

}  // namespace redtune::db
