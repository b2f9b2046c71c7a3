#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace redtune::db {

/// Returns an SQL query for those winners in a table that are not sound. The query's column `why` has the reason. A
/// sound winner refers to a measurement that is ok, has the winner's device, problem, size and regime, and is
/// deterministic if the winner is run_to_run.
/// @param table "winner" or "unit_winner"
inline std::string unsound_winners(std::string_view table) {
    return fmt::format(R"sql(
    SELECT winner.device_id, winner.problem_id, winner.regime_id, winner.n, winner.determinism, winner.measurement_id,
           CASE WHEN measurement.id IS NULL THEN 'it is not there'
                WHEN status.name <> 'ok' THEN 'it is ' || status.name
                WHEN NOT configuration.deterministic AND winner.determinism = 'run_to_run'
                    THEN 'it is not deterministic'
                ELSE 'it is of another device, problem, size or regime' END AS why
    FROM {} AS winner
    LEFT JOIN measurement ON measurement.id = winner.measurement_id
    LEFT JOIN status ON status.id = measurement.status_id
    LEFT JOIN sweep ON sweep.id = measurement.sweep_id
    LEFT JOIN configuration ON configuration.id = measurement.configuration_id
    WHERE (status.name = 'ok' AND measurement.n = winner.n AND measurement.regime_id = winner.regime_id
           AND sweep.device_id = winner.device_id AND sweep.problem_id = winner.problem_id
           AND (configuration.deterministic OR winner.determinism = 'any')) IS NOT TRUE)sql",
                       table);
}

}  // namespace redtune::db
