#include <vector>

#include "db/store.h"
#include "db/store_impl.h"
#include "db/without_foreign_keys.h"

namespace redtune::db {

namespace {

/// Fills the temporary table `removed` with the measurements that the rule selects.
void select_removed(Connection& connection, const RemovalRule& rule) {
    connection.execute(R"sql(
        DROP TABLE IF EXISTS temp.removed;
        DROP TABLE IF EXISTS temp.kept_cell;
        DROP TABLE IF EXISTS temp.current_code;
        CREATE TEMP TABLE removed (id INTEGER PRIMARY KEY, sweep_id INTEGER NOT NULL);
        CREATE TEMP TABLE kept_cell (sweep_id, n, regime_id, stage_id, PRIMARY KEY (sweep_id, n, regime_id, stage_id));
        CREATE TEMP TABLE current_code (name, code_hash))sql");
    if (rule.current_code) {
        Statement insert = connection.prepare("INSERT INTO temp.current_code VALUES (?1, ?2)");
        for (const auto& [name, hash] : *rule.current_code) insert.bind(name, hash).run();
    }
    if (rule.keeps_winners) {
        connection.execute(R"sql(
            INSERT OR IGNORE INTO temp.kept_cell
            SELECT sweep_id, n, regime_id, stage_id FROM measurement
            WHERE id IN (SELECT measurement_id FROM unit_winner UNION SELECT measurement_id FROM winner
                         UNION SELECT picked_id FROM size_check UNION SELECT best_id FROM size_check))sql");
    }
    connection
        .prepare(R"sql(
            INSERT INTO temp.removed
            SELECT measurement.id, sweep.id
            FROM measurement
            JOIN sweep ON sweep.id = measurement.sweep_id
            JOIN device ON device.id = sweep.device_id
            JOIN configuration ON configuration.id = measurement.configuration_id
            JOIN family ON family.id = configuration.family_id
            WHERE (sweep.status <> 'running' OR sweep.started_at < unixepoch() - 86400)
              AND (?1 IS NULL OR measurement.measured_at < ?1)
              AND (?2 IS NULL OR device.name = ?2)
              AND (NOT ?3 OR (family.name IN (SELECT name FROM temp.current_code)
                              AND (family.name, family.code_hash) NOT IN (SELECT name, code_hash FROM temp.current_code)))
              AND (measurement.sweep_id, measurement.n, measurement.regime_id, measurement.stage_id)
                  NOT IN (SELECT sweep_id, n, regime_id, stage_id FROM temp.kept_cell))sql")
        .bind(rule.measured_before, rule.device, rule.current_code.has_value())
        .run();
}

/// Makes the best finalist that is left the winner of a unit whose winner is in temp.removed. The range of sizes for
/// which it is a candidate comes from the winners of units that have the same configuration.
void replace_winners_of_units(Connection& connection) {
    connection.execute(R"sql(
        DROP TABLE IF EXISTS temp.successor;
        CREATE TEMP TABLE successor AS
            SELECT unit_winner.id AS winner_id, other.id AS measurement_id, min(other.median_us)
            FROM unit_winner
            JOIN temp.removed ON removed.id = unit_winner.measurement_id
            JOIN measurement AS won ON won.id = removed.id
            JOIN measurement AS other USING (sweep_id, n, regime_id, stage_id, data_id)
            JOIN configuration ON configuration.id = other.configuration_id
            JOIN status ON status.id = other.status_id
            WHERE other.id NOT IN (SELECT id FROM temp.removed) AND status.name = 'ok'
              AND (configuration.deterministic OR unit_winner.determinism = 'any')
            GROUP BY unit_winner.id;
        UPDATE unit_winner
        SET measurement_id = successor.measurement_id, decided_by = 'time', runner_up_ratio = NULL,
            data_ratios = (SELECT json_group_object(key, NULL) FROM json_each(unit_winner.data_ratios)),
            (least_n, most_n) = (
                SELECT min(known.least_n), max(known.most_n)
                FROM measurement AS chosen
                JOIN measurement ON measurement.configuration_id = chosen.configuration_id
                JOIN unit_winner AS known ON known.measurement_id = measurement.id
                WHERE chosen.id = successor.measurement_id
                  AND (known.device_id, known.problem_id, known.regime_id) =
                      (unit_winner.device_id, unit_winner.problem_id, unit_winner.regime_id)
                  AND unit_winner.n BETWEEN known.least_n AND known.most_n)
        FROM temp.successor
        WHERE unit_winner.id = successor.winner_id)sql");
}

/// Removes the rows of temp.removed and what refers to them. Returns the keys of the winners that this concerns.
std::vector<WinnerKey> remove_selected(Connection& connection, RemovedRows& removed) {
    connection.execute(R"sql(
        DROP TABLE IF EXISTS temp.affected;
        CREATE TEMP TABLE affected AS
            SELECT device_id, problem_id, regime_id, n, determinism FROM winner
            WHERE measurement_id IN (SELECT id FROM temp.removed)
            UNION
            SELECT device_id, problem_id, regime_id, n, determinism FROM unit_winner
            WHERE measurement_id IN (SELECT id FROM temp.removed))sql");
    replace_winners_of_units(connection);
    connection.execute(R"sql(
        DELETE FROM unit_winner WHERE measurement_id IN (SELECT id FROM temp.removed);
        DELETE FROM size_check WHERE picked_id IN (SELECT id FROM temp.removed)
                                  OR best_id IN (SELECT id FROM temp.removed))sql");
    connection.execute(
        "DELETE FROM winner WHERE (device_id, problem_id, regime_id, n, determinism) IN (SELECT * FROM temp.affected)");
    removed.winners = connection.changes();
    connection.execute("DELETE FROM measurement WHERE id IN (SELECT id FROM temp.removed)");
    removed.measurements = connection.changes();
    connection.execute(
        "DELETE FROM sweep WHERE id IN (SELECT sweep_id FROM temp.removed) "
        "AND NOT EXISTS (SELECT 1 FROM measurement WHERE measurement.sweep_id = sweep.id)");
    removed.sweeps = connection.changes();
    connection.execute(R"sql(
        DELETE FROM configuration WHERE id NOT IN (SELECT configuration_id FROM measurement);
        DELETE FROM family WHERE id NOT IN (SELECT family_id FROM configuration);
        DELETE FROM toolchain WHERE id NOT IN (SELECT toolchain_id FROM sweep);
        DELETE FROM problem WHERE id NOT IN (SELECT problem_id FROM sweep);
        DELETE FROM device_unit WHERE id NOT IN (SELECT device_unit_id FROM sweep WHERE device_unit_id IS NOT NULL);
        DELETE FROM device WHERE id NOT IN (SELECT device_id FROM sweep))sql");

    Statement left = connection.prepare(
        "SELECT device_id, problem_id, regime_id, n, determinism FROM temp.affected WHERE EXISTS "
        "(SELECT 1 FROM unit_winner WHERE (unit_winner.device_id, unit_winner.problem_id, unit_winner.regime_id, "
        "unit_winner.n, unit_winner.determinism) = (affected.device_id, affected.problem_id, affected.regime_id, "
        "affected.n, affected.determinism))");
    std::vector<WinnerKey> keys;
    while (left.step()) {
        keys.push_back({left.integer(0), left.integer(1), left.integer(2), left.integer(3), left.text(4)});
    }
    return keys;
}

}  // namespace

RemovedRows Store::remove_measurements(const RemovalRule& rule,
                                       const std::function<void(Store&, const WinnerKey&)>& choose_winner,
                                       bool commits) {
    Connection& connection = impl_->connection;
    impl_->configuration_ids.clear();
    // SQLite would look for the rows that refer to each removed row, most of them without an index.
    const WithoutForeignKeys without_foreign_keys(connection);
    RemovedRows removed;
    Transaction transaction(connection);
    select_removed(connection, rule);
    for (const WinnerKey& key : remove_selected(connection, removed)) {
        choose_winner(*this, key);
        --removed.winners;
    }
    expect_no_dangling_rows(connection, "the removal of measurements");
    if (commits) transaction.commit();
    return removed;
}

void Store::shrink() {
    impl_->connection.execute("VACUUM");
}

}  // namespace redtune::db
