#include "db/merge_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::db {

namespace {

using Names = std::vector<std::string>;

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

/// The columns by which copies of a measurement are recognised. The column of samples is not among them, because
/// shipped files leave samples out.
const Names measurement_key = {"sweep_id",  "configuration_id", "n",           "regime_id", "stage_id",
                               "status_id", "data_id",          "measured_at", "median_us"};
/// The columns by which new measurements are ordered. Within a sweep, earlier stages precede later ones, so that a
/// winner gets a greater id than the screenings of its cell.
const Names measurement_order = {"sweep_id",         "stage_id",  "measured_at", "n",        "regime_id",
                                 "configuration_id", "status_id", "data_id",     "median_us"};

std::string joined(const Names& names, std::string_view prefix = "") {
    Names prefixed;
    for (const std::string& name : names) prefixed.push_back(fmt::format("{}{}", prefix, name));
    return fmt::format("{}", fmt::join(prefixed, ", "));
}

/// Returns the names of a table's columns, without `id`.
Names columns_of(const Connection& connection, std::string_view table) {
    Statement rows = connection.prepare("SELECT name FROM pragma_table_info(?1) WHERE name <> 'id'");
    rows.bind(table);
    Names names;
    while (rows.step()) names.push_back(rows.text(0));
    return names;
}

/// Returns for each column an SQL expression of its value in the main database: the same column of `source`, or for a
/// foreign key the id that the row has in the main database. Tables that only the schema fills (regime, stage, status)
/// have the same ids in every database.
std::map<std::string, std::string> mapped_columns(const Connection& connection, std::string_view table) {
    std::map<std::string, std::string> expressions;
    for (const std::string& column : columns_of(connection, table)) expressions[column] = "source." + column;
    Statement keys = connection.prepare("SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?1)");
    keys.bind(table);
    while (keys.step()) {
        const std::string column = keys.text(0);
        const std::string parent = keys.text(1);
        const bool is_keyed = std::any_of(keyed_tables.begin(), keyed_tables.end(),
                                          [&](const KeyedTable& each) { return each.name == parent; });
        if (!is_keyed && parent != "measurement") continue;
        expressions[column] = fmt::format("(SELECT new FROM temp.map_{} WHERE old = source.{})", parent, column);
    }
    return expressions;
}

Names mapped(const std::map<std::string, std::string>& expressions, const Names& columns) {
    Names list;
    for (const std::string& column : columns) list.push_back(expressions.at(column));
    return list;
}

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

/// Creates the temporary table map_TABLE, which maps ids of the input (`old`) to ids of the main database (`new`).
void create_map(Connection& connection, std::string_view table, const std::string& select) {
    connection.execute(fmt::format(
        "CREATE TEMP TABLE map_{0} (old INTEGER PRIMARY KEY, new INTEGER NOT NULL); INSERT INTO temp.map_{0} {1}",
        table, select));
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

/// Creates a temporary table of measurements with their columns as the main database has them, `ordinal`, which numbers
/// measurements of the same key, and `content`, a text by which they are compared: that of the measurement with the
/// most samples is the greatest.
void rank_measurements(Connection& connection, std::string_view ranked, std::string_view schema,
                       const std::map<std::string, std::string>& expressions, const Names& columns) {
    Names quoted;
    for (const std::string& column : columns) {
        if (std::find(measurement_key.begin(), measurement_key.end(), column) == measurement_key.end()) {
            quoted.push_back(fmt::format("quote({})", column));
        }
    }
    Names selected;
    for (const std::string& column : columns)
        selected.push_back(fmt::format("{} AS {}", expressions.at(column), column));
    connection.execute(fmt::format(
        "CREATE TEMP TABLE {0} AS SELECT *, row_number() OVER (PARTITION BY {1} ORDER BY content DESC, id) AS ordinal "
        "FROM (SELECT *, format('%09d', json_array_length(samples)) || {2} AS content "
        "FROM (SELECT source.id, {3} FROM {4}.measurement AS source));"
        "CREATE UNIQUE INDEX temp.{0}_by_key ON {0} (sweep_id, configuration_id, n, regime_id, stage_id, status_id, "
        "data_id, measured_at, coalesce(median_us, 0), ordinal)",
        ranked, joined(measurement_key), fmt::join(quoted, " || ' ' || "), fmt::join(selected, ", "), schema));
}

/// Returns the SQL condition that two ranked measurements, `source` and `target`, are copies of the same measurement.
std::string copy_condition() {
    return "target.sweep_id = source.sweep_id AND target.configuration_id = source.configuration_id "
           "AND target.n = source.n AND target.regime_id = source.regime_id AND target.stage_id = source.stage_id "
           "AND target.status_id = source.status_id AND target.data_id = source.data_id AND target.measured_at = "
           "source.measured_at "
           "AND coalesce(target.median_us, 0) = coalesce(source.median_us, 0) AND target.ordinal = source.ordinal";
}

void add_measurements(Connection& connection) {
    const Names columns = columns_of(connection, "measurement");
    std::map<std::string, std::string> as_they_are;
    for (const std::string& column : columns) as_they_are[column] = "source." + column;
    rank_measurements(connection, "ranked_source", "input", mapped_columns(connection, "measurement"), columns);
    rank_measurements(connection, "ranked_target", "main", as_they_are, columns);
    connection.execute(fmt::format(
        "CREATE TEMP TABLE richer AS SELECT target.id AS target_id, source.* FROM temp.ranked_source AS source "
        "JOIN temp.ranked_target AS target ON {} WHERE source.content > target.content;"
        "UPDATE main.measurement SET ({}) = ({}) FROM temp.richer WHERE richer.target_id = measurement.id;",
        copy_condition(), joined(columns), joined(columns, "richer.")));
    connection.execute(
        fmt::format("INSERT INTO main.measurement ({0}) SELECT {0} FROM temp.ranked_source AS source WHERE NOT EXISTS "
                    "(SELECT 1 FROM temp.ranked_target AS target WHERE {1}) ORDER BY {2}, ordinal",
                    joined(columns), copy_condition(), joined(measurement_order)));
    connection.execute("DROP TABLE temp.ranked_target; DROP TABLE temp.richer");
    rank_measurements(connection, "ranked_target", "main", as_they_are, columns);
    create_map(connection, "measurement",
               fmt::format("SELECT source.id, target.id FROM temp.ranked_source AS source "
                           "JOIN temp.ranked_target AS target ON {}",
                           copy_condition()));
    connection.execute("DROP TABLE temp.ranked_source; DROP TABLE temp.ranked_target");
}

/// Adds the rows of a table with one decision for each key, such as a winner. If both databases have a row with the
/// same key, the row whose measurement was made later stays; if both measurements were made in the same second, the row
/// that is greater as text.
/// @param key SQL expressions, over the table's columns, that form the key
/// @param measurement the column that refers to the measurement
void add_decisions(Connection& connection, std::string_view table, const Names& key, std::string_view measurement) {
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
        "SELECT decision.*, format('%012d %012d ', measured_at, started_at) || identity || name || code_hash || "
        "parameters || launch_rule || {} || quote(measured.samples) AS standing FROM {{}} AS decision "
        "JOIN main.measurement AS measured ON measured.id = decision.{} JOIN main.sweep ON sweep.id = "
        "measured.sweep_id "
        "JOIN main.configuration ON configuration.id = measured.configuration_id "
        "JOIN main.family ON family.id = configuration.family_id",
        fmt::join(quoted, " || "), measurement);
    connection.execute(
        fmt::format("CREATE TEMP TABLE arriving AS SELECT {} FROM input.{} AS source WHERE {} IS NOT NULL;"
                    "CREATE TEMP TABLE standings AS {}; INSERT INTO temp.standings {};",
                    fmt::join(selected, ", "), table, expressions.at(std::string(measurement)),
                    fmt::format(fmt::runtime(ranked), fmt::format("(SELECT {} FROM main.{})", joined(columns), table)),
                    fmt::format(fmt::runtime(ranked), "temp.arriving")));
    connection.execute(fmt::format(
        "DELETE FROM main.{0}; INSERT INTO main.{0} ({1}) SELECT {1} FROM "
        "(SELECT *, row_number() OVER (PARTITION BY {2} ORDER BY standing DESC) AS place FROM temp.standings) "
        "WHERE place = 1 ORDER BY {2}; DROP TABLE temp.arriving; DROP TABLE temp.standings",
        table, joined(columns), joined(key)));
}

}  // namespace

void add_rows_of_input(Connection& connection) {
    for (const KeyedTable& table : keyed_tables) add_keyed(connection, table);
    add_measurements(connection);
    add_decisions(connection, "unit_winner",
                  {"device_id", "problem_id", "regime_id", "n", "determinism", "coalesce(device_unit_id, 0)"},
                  "measurement_id");
    add_decisions(connection, "size_check", {"device_id", "problem_id", "regime_id", "n"}, "best_id");
    for (const KeyedTable& table : keyed_tables) connection.execute(fmt::format("DROP TABLE temp.map_{}", table.name));
    connection.execute("DROP TABLE temp.map_measurement");
}

}  // namespace redtune::db
