#include "db/merge_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "db/merge_measurements.h"
#include "db/merged_columns.h"

namespace redtune::db {

namespace {

/// A table whose rows have a key, by which copies of a row are recognised.
struct KeyedTable {
    std::string_view name;
    Names key;
    Names order;  ///< columns that define the order in which rows are inserted
};

/// The tables with a key, in an order in which each table refers only to earlier tables.
const std::array keyed_tables = {
    KeyedTable{
        "device", {"name", "compute_major", "compute_minor", "sm_count", "memory_gib", "l2_bytes", "mig_profile"}, {}},
    KeyedTable{"device_unit", {"device_id", "uuid"}, {}},
    KeyedTable{"toolchain", {"redtune_version", "nvrtc_version", "driver_version"}, {}},
    KeyedTable{"family", {"name", "code_hash"}, {}},
    KeyedTable{"problem", {"op", "input_type", "accumulator_type", "output_type", "shape"}, {}},
    KeyedTable{"configuration", {"family_id", "parameters", "launch_rule", "deterministic"}, {}},
    KeyedTable{"data", {"name"}, {}},
    KeyedTable{"sweep", {"identity"}, {"started_at", "identity"}},
};

/// Returns the SQL assignment that merges a column of two copies of a row. It keeps the larger value, so that the order
/// of the inputs does not matter; for the status of a sweep, it keeps the status of the later stage of the sweep.
std::string assign_larger_value(std::string_view table, const std::string& column) {
    if (table == "sweep" && column == "status") {
        const std::string_view later = "instr('running failed interrupted finished', {})";
        return fmt::format("status = CASE WHEN {} > {} THEN excluded.status ELSE sweep.status END",
                           fmt::format(fmt::runtime(later), "excluded.status"),
                           fmt::format(fmt::runtime(later), "sweep.status"));
    }
    return fmt::format("{1} = coalesce(max(excluded.{1}, {0}.{1}), excluded.{1}, {0}.{1})", table, column);
}

void add_keyed(Connection& connection, const KeyedTable& table) {
    const Names columns = columns_of(connection, table.name);
    const auto expressions = mapped_columns(connection, table.name);
    Names updates;
    for (const std::string& column : columns) {
        const bool is_key = std::find(table.key.begin(), table.key.end(), column) != table.key.end();
        if (!is_key) updates.push_back(assign_larger_value(table.name, column));
    }
    const Names& order = table.order.empty() ? table.key : table.order;
    connection.execute(fmt::format(
        "INSERT INTO main.{0} ({1}) SELECT {2} FROM input.{0} AS source WHERE true ORDER BY {3} ON CONFLICT ({4}) {5}",
        table.name, joined(columns), fmt::join(mapped(expressions, columns), ", "),
        fmt::join(mapped(expressions, order), ", "), joined(table.key),
        updates.empty() ? "DO NOTHING" : fmt::format("DO UPDATE SET {}", fmt::join(updates, ", "))));
    Names conditions;
    for (const std::string& column : table.key) {
        conditions.push_back(fmt::format("target.{} IS {}", column, expressions.at(column)));
    }
    create_map(connection, table.name,
               fmt::format("SELECT source.id, target.id FROM input.{0} AS source JOIN main.{0} AS target ON {1}",
                           table.name, fmt::join(conditions, " AND ")));
}

/// Adds the rows of a table with one decision for each key, such as a winner. If both databases have a row with the
/// same key, a row that was measured on a GPU stays, not one of a replay; else the row whose measurement was made with
/// the newer redtune, NVRTC or driver; if these are the same, the row with the greater rank, then the row whose
/// measurement was made later; if both measurements were made in the same second, the row that is greater as text.
/// @param key SQL expressions, over the table's columns, that form the key
/// @param measurement the column that refers to the measurement
/// @param rank an SQL expression over the columns of `decision`, a row of the table
void add_decisions(Connection& connection, std::string_view table, const Names& key, std::string_view measurement,
                   std::string_view rank) {
    const Names columns = columns_of(connection, table);
    const auto expressions = mapped_columns(connection, table);
    Names selected;
    Names quoted;
    for (const std::string& column : columns) {
        selected.push_back(fmt::format("{} AS {}", expressions.at(column), column));
        if (!column.ends_with("_id")) quoted.push_back(fmt::format("quote(decision.{})", column));
    }
    // Ids are not compared, because they depend on the order in which databases are added.
    const std::string ranked = fmt::format(
        "SELECT decision.*, source = 'gpu' AS is_of_gpu, redtune_version, nvrtc_version, driver_version, {} AS rank, "
        "format('%012d %012d ', measured_at, started_at) || identity || name || code_hash || "
        "parameters || launch_rule || {} || quote(measured.samples) AS standing FROM {{}} AS decision "
        "JOIN main.measurement AS measured ON measured.id = decision.{} JOIN main.sweep ON sweep.id = "
        "measured.sweep_id JOIN main.toolchain ON toolchain.id = sweep.toolchain_id "
        "JOIN main.configuration ON configuration.id = measured.configuration_id "
        "JOIN main.family ON family.id = configuration.family_id",
        rank, fmt::join(quoted, " || "), measurement);
    connection.execute(
        fmt::format("CREATE TEMP TABLE arriving AS SELECT {} FROM input.{} AS source WHERE {} IS NOT NULL;"
                    "CREATE TEMP TABLE standings AS {}; INSERT INTO temp.standings {};",
                    fmt::join(selected, ", "), table, expressions.at(std::string(measurement)),
                    fmt::format(fmt::runtime(ranked), fmt::format("(SELECT {} FROM main.{})", joined(columns), table)),
                    fmt::format(fmt::runtime(ranked), "temp.arriving")));
    connection.execute(
        fmt::format("DELETE FROM main.{0}; INSERT INTO main.{0} ({1}) SELECT {1} FROM "
                    "(SELECT *, row_number() OVER (PARTITION BY {2} ORDER BY is_of_gpu DESC, "
                    "redtune_version COLLATE version DESC, nvrtc_version COLLATE version DESC, "
                    "driver_version COLLATE version DESC, rank DESC, standing DESC) AS place FROM temp.standings) "
                    "WHERE place = 1 ORDER BY {2}; DROP TABLE temp.arriving; DROP TABLE temp.standings",
                    table, joined(columns), joined(key)));
}

/// The rank of a winner for add_decisions(): more effort replaces less.
constexpr std::string_view effort_rank = "coalesce(instr('quick standard thorough exhaustive', decision.effort), 0)";

}  // namespace

void add_rows_of_input(Connection& connection) {
    for (const KeyedTable& table : keyed_tables) add_keyed(connection, table);
    add_measurements(connection);
    add_decisions(connection, "unit_winner",
                  {"device_id", "problem_id", "regime_id", "n", "determinism", "coalesce(device_unit_id, 0)"},
                  "measurement_id", effort_rank);
    add_decisions(connection, "size_check", {"device_id", "problem_id", "regime_id", "n"}, "best_id", "0");
    for (const KeyedTable& table : keyed_tables) connection.execute(fmt::format("DROP TABLE temp.map_{}", table.name));
    connection.execute("DROP TABLE temp.map_measurement");
}

}  // namespace redtune::db
