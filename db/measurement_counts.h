#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace redtune::db {

/// SQL query that counts all measurements. It returns the rows that the table `measurement_count` should have.
inline constexpr std::string_view count_measurements =
    "SELECT sweep_id, regime_id, n, count(*) AS measurements, sum(status_id <> 0) AS failures, "
    "max(measured_at) AS last_measured_at FROM measurement GROUP BY sweep_id, regime_id, n";

/// Returns an SQL query for the sweeps, regimes and sizes whose row in `measurement_count` is wrong, missing, or one
/// too many.
inline std::string wrong_measurement_counts() {
    return fmt::format(
        "SELECT DISTINCT sweep_id, regime_id, n FROM (SELECT * FROM ({}) UNION ALL SELECT * FROM measurement_count) "
        "GROUP BY sweep_id, regime_id, n, measurements, failures, last_measured_at HAVING count(*) <> 2",
        count_measurements);
}

}  // namespace redtune::db
