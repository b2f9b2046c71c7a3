#include <fmt/format.h>

#include "db/store.h"
#include "db/store_impl.h"
#include "db/unsound_winners.h"

namespace redtune::db {

namespace {

/// SQL that inserts a new winner for each key in the temporary table `removed`, if a measurement of this key is
/// eligible.
constexpr std::string_view insert_best_measurements = R"sql(
    INSERT INTO winner (device_id, problem_id, regime_id, n, determinism, measurement_id, decided_by, runner_up_ratio,
                        data_ratios)
    WITH eligible AS (
        SELECT removed.*, measurement.id, measurement.configuration_id, measurement.median_us, measurement.stage_id,
               measurement.data_id,
               (sweep.source = 'gpu') * 1000 + (measurement.data_id = 0) * 100 + measurement.stage_id AS standing
        FROM removed
        JOIN sweep ON sweep.device_id = removed.device_id AND sweep.problem_id = removed.problem_id
        JOIN measurement ON measurement.sweep_id = sweep.id AND measurement.n = removed.n
                        AND measurement.regime_id = removed.regime_id
        JOIN status ON status.id = measurement.status_id
        JOIN configuration ON configuration.id = measurement.configuration_id
        WHERE status.name = 'ok' AND (configuration.deterministic OR removed.determinism = 'any')
    ), compared AS (
        SELECT *, max(standing) OVER (PARTITION BY device_id, problem_id, regime_id, n, determinism) AS best_standing
        FROM eligible
    ), contestant AS (
        -- SQLite takes a bare column (id) from the row that has the minimum.
        SELECT device_id, problem_id, regime_id, n, determinism, id, stage_id, data_id, min(median_us) AS median_us
        FROM (SELECT * FROM compared WHERE standing = best_standing ORDER BY id)
        GROUP BY device_id, problem_id, regime_id, n, determinism, configuration_id
    ), ranked AS (
        SELECT *, row_number() OVER best AS place, lead(median_us) OVER best AS runner_up_us
        FROM contestant
        WINDOW best AS (PARTITION BY device_id, problem_id, regime_id, n, determinism ORDER BY median_us, id)
    )
    SELECT device_id, problem_id, regime_id, n, determinism, ranked.id,
           'repaired: lowest median of stage ' || stage.name, runner_up_us / median_us, json_object(data.name, NULL)
    FROM ranked JOIN stage ON stage.id = stage_id JOIN data ON data.id = data_id WHERE place = 1)sql";

}  // namespace

RepairedWinners Store::repair_winners() {
    Connection& connection = impl_->connection;
    Transaction transaction(connection);
    connection.execute(
        fmt::format("CREATE TEMP TABLE removed AS SELECT device_id, problem_id, regime_id, n, determinism FROM ({})",
                    unsound_winners("winner")));
    connection.execute(
        fmt::format("DELETE FROM unit_winner WHERE (device_id, problem_id, regime_id, n, determinism, "
                    "measurement_id) IN (SELECT device_id, problem_id, regime_id, n, determinism, "
                    "measurement_id FROM ({}))",
                    unsound_winners("unit_winner")));
    connection.execute(
        "DELETE FROM winner WHERE (device_id, problem_id, regime_id, n, determinism) IN (SELECT * FROM removed)");
    RepairedWinners repaired;
    repaired.removed = connection.changes();
    connection.execute(std::string(insert_best_measurements));
    repaired.replaced = connection.changes();
    connection.execute(
        "INSERT INTO unit_winner (device_id, device_unit_id, problem_id, regime_id, n, determinism, measurement_id, "
        "decided_by, runner_up_ratio) "
        "SELECT winner.device_id, sweep.device_unit_id, winner.problem_id, winner.regime_id, winner.n, "
        "winner.determinism, winner.measurement_id, winner.decided_by, winner.runner_up_ratio "
        "FROM removed JOIN winner USING (device_id, problem_id, regime_id, n, determinism) "
        "JOIN measurement ON measurement.id = winner.measurement_id JOIN sweep ON sweep.id = measurement.sweep_id "
        "WHERE true ON CONFLICT DO NOTHING");
    connection.execute("DROP TABLE temp.removed");
    transaction.commit();
    return repaired;
}

}  // namespace redtune::db
