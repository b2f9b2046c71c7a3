#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "db/store.h"

namespace redtune::db {

/// A value in a row: NULL, text, an integer or a floating-point number.
using Field = std::variant<std::monostate, std::string, std::int64_t, double>;

/// The result of a query, to be printed: column names, which contain the units, and rows.
struct Listing {
    std::vector<std::string> columns;
    std::vector<std::vector<Field>> rows;

    /// Returns the index of a column. The column must exist.
    std::size_t column(std::string_view name) const;
};

/// Selects the winners whose properties equal all members of the filter that have a value.
struct WinnerFilter {
    std::optional<std::string> op;
    std::optional<std::string> dtype;
    std::optional<std::string> device;
    std::optional<std::string> regime;
};

/// Returns the rows of the view `winners`, sorted by device, problem, regime, n and determinism.
Listing list_winners(const Store& store, const WinnerFilter& filter);

/// Returns the `most` latest rows of the view `sweeps`, the latest first.
Listing list_sweeps(const Store& store, std::uint32_t most);

/// Returns the number of failures of each device, family, status and reason, the largest first. Each row also has the
/// id of one measurement that failed in this way.
Listing list_failures(const Store& store);

/// Returns whether the database has a sweep with this id.
bool has_sweep(const Store& store, std::int64_t id);

/// Returns the row of the view `measurements` with this id, and the kinds of determinism under which it is a winner.
/// Returns no row if the id does not exist.
Listing list_measurement(const Store& store, std::int64_t id);

/// Returns the versions of the software with which a measurement was taken; empty texts if the id does not exist.
ToolchainInfo toolchain_of(const Store& store, std::int64_t measurement);

/// Returns the number of measurements, sizes and winners of each device, problem and regime, and the age of the latest
/// measurement.
Listing list_contents(const Store& store);

/// The result of one check of a database file.
struct Finding {
    std::string check;
    bool sound = true;
    std::string detail;
};

/// Returns the results of all checks: SQLite's integrity and foreign keys, the application id, the schema, the winners
/// and the counts of measurements.
std::vector<Finding> check(const Store& store);

}  // namespace redtune::db
