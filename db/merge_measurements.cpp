#include "db/merge_measurements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "db/merged_columns.h"

namespace redtune::db {

namespace {

/// The columns by which copies of a measurement are recognised. The column of samples is not among them, because
/// shipped files leave samples out.
const Names measurement_key = {"sweep_id",  "configuration_id", "n",           "regime_id", "stage_id",
                               "status_id", "data_id",          "measured_at", "median_us"};
/// The columns of the key, in the order in which new measurements are sorted. Within a sweep, earlier stages precede
/// later ones, so that a winner gets a greater id than the screenings of its cell.
const Names measurement_order = {"sweep_id",         "stage_id",  "measured_at", "n",        "regime_id",
                                 "configuration_id", "status_id", "data_id",     "median_us"};

/// Returns the columns that are not part of the key.
Names other_columns(const Names& columns) {
    Names others;
    std::copy_if(columns.begin(), columns.end(), std::back_inserter(others), [](const std::string& column) {
        return std::find(measurement_key.begin(), measurement_key.end(), column) == measurement_key.end();
    });
    return others;
}

/// Creates a temporary table of the measurements of shared sweeps, with their keys as the main database has them,
/// `ordinal`, which numbers measurements of the same key, and `content`, a text by which they are compared: that of the
/// measurement with the most samples is the greatest.
void rank_measurements(Connection& connection, std::string_view ranked, std::string_view schema,
                       const std::map<std::string, std::string>& expressions, const Names& columns) {
    Names quoted;
    for (const std::string& column : other_columns(columns)) quoted.push_back(fmt::format("quote({})", column));
    Names keys;
    for (const std::string& column : measurement_key) {
        keys.push_back(fmt::format("{} AS {}", expressions.at(column), column));
    }
    connection.execute(fmt::format(
        "CREATE TEMP TABLE {0} AS SELECT *, row_number() OVER (PARTITION BY {1} ORDER BY content DESC, id) AS ordinal "
        "FROM (SELECT source.id, {2}, format('%09d', json_array_length(samples)) || {3} AS content "
        "FROM {4}.measurement AS source WHERE {5} IN (SELECT id FROM temp.shared_sweep));"
        "CREATE UNIQUE INDEX temp.{0}_by_key ON {0} (sweep_id, configuration_id, n, regime_id, stage_id, status_id, "
        "data_id, measured_at, coalesce(median_us, 0), ordinal)",
        ranked, joined(measurement_key), fmt::join(keys, ", "), fmt::join(quoted, " || ' ' || "), schema,
        expressions.at("sweep_id")));
}

/// Creates the temporary table `measurement_copy`: the measurements of the input that the main database has, with the
/// id that they have there, and whether the input's copy is the one with more samples.
void find_copies(Connection& connection, const std::map<std::string, std::string>& expressions, const Names& columns) {
    std::map<std::string, std::string> as_they_are;
    for (const std::string& column : columns) as_they_are[column] = "source." + column;
    connection.execute(
        "CREATE TEMP TABLE shared_sweep AS SELECT new AS id FROM temp.map_sweep "
        "WHERE EXISTS (SELECT 1 FROM main.measurement WHERE sweep_id = new)");
    rank_measurements(connection, "ranked_source", "input", expressions, columns);
    rank_measurements(connection, "ranked_target", "main", as_they_are, columns);
    connection.execute(
        "CREATE TEMP TABLE measurement_copy (old INTEGER PRIMARY KEY, new INTEGER NOT NULL, is_richer INTEGER NOT "
        "NULL);"
        "INSERT INTO temp.measurement_copy SELECT source.id, target.id, source.content > target.content "
        "FROM temp.ranked_source AS source JOIN temp.ranked_target AS target "
        "ON target.sweep_id = source.sweep_id AND target.configuration_id = source.configuration_id "
        "AND target.n = source.n AND target.regime_id = source.regime_id AND target.stage_id = source.stage_id "
        "AND target.status_id = source.status_id AND target.data_id = source.data_id "
        "AND target.measured_at = source.measured_at "
        "AND coalesce(target.median_us, 0) = coalesce(source.median_us, 0) AND target.ordinal = source.ordinal;"
        "DROP TABLE temp.ranked_source; DROP TABLE temp.ranked_target; DROP TABLE temp.shared_sweep");
}

/// Replaces the measurements of the main database whose copy in the input has more samples.
void replace_by_richer_copies(Connection& connection, const Names& columns) {
    const Names others = other_columns(columns);
    connection.execute(fmt::format(
        "UPDATE main.measurement SET ({}) = ({}) FROM temp.measurement_copy AS copy "
        "JOIN input.measurement AS source ON source.id = copy.old WHERE copy.is_richer AND copy.new = measurement.id",
        joined(others), joined(others, "source.")));
}

/// Adds the measurements of the input that the main database does not have, and creates map_measurement. The new ids
/// follow the greatest id that there is, in an order that depends only on the contents.
void add_new_measurements(Connection& connection, const std::map<std::string, std::string>& expressions,
                          const Names& columns) {
    const std::int64_t last = connection.value("SELECT max(id) FROM main.measurement");
    // The ids are sorted first, without the other columns, so that a sort of many rows is small.
    connection.execute(fmt::format(
        "CREATE TEMP TABLE new_measurement (place INTEGER PRIMARY KEY, old INTEGER NOT NULL);"
        "INSERT INTO temp.new_measurement (old) SELECT source.id FROM input.measurement AS source "
        "WHERE source.id NOT IN (SELECT old FROM temp.measurement_copy) "
        "ORDER BY {}, json_array_length(source.samples) DESC, {}",
        fmt::join(mapped(expressions, measurement_order), ", "), joined(other_columns(columns), "source.")));
    connection.execute(
        fmt::format("INSERT INTO main.measurement (id, {}) SELECT {} + added.place, {} "
                    "FROM temp.new_measurement AS added CROSS JOIN input.measurement AS source "
                    "ON source.id = added.old ORDER BY added.place",
                    joined(columns), last, fmt::join(mapped(expressions, columns), ", ")));
    create_map(connection, "measurement",
               fmt::format("SELECT old, new FROM temp.measurement_copy UNION ALL "
                           "SELECT old, {} + place FROM temp.new_measurement ORDER BY 1",
                           last));
}

}  // namespace

void add_measurements(Connection& connection) {
    const Names columns = columns_of(connection, "measurement");
    const auto expressions = mapped_columns(connection, "measurement");
    find_copies(connection, expressions, columns);
    replace_by_richer_copies(connection, columns);
    add_new_measurements(connection, expressions, columns);
    connection.execute("DROP TABLE temp.measurement_copy; DROP TABLE temp.new_measurement");
}

}  // namespace redtune::db
