#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "db/store.h"

namespace redtune::db {

/// A value of a row: NULL, text, an integer or a floating-point number.
using Field = std::variant<std::monostate, std::string, std::int64_t, double>;

/// Rows for people. The column names contain the units, as those of the views do.
struct Listing {
    std::vector<std::string> columns;
    std::vector<std::vector<Field>> rows;
};

/// Selects winners: every member that has a value must be equal.
struct WinnerFilter {
    std::optional<std::string> op;
    std::optional<std::string> dtype;
    std::optional<std::string> device;
    std::optional<std::string> regime;
};

/// Returns the view `winners` by device, problem, regime, n and determinism.
Listing list_winners(const Store& store, const WinnerFilter& filter);

/// Returns the latest sweeps of the view `sweeps`, the latest first.
Listing list_sweeps(const Store& store, std::uint32_t most);

/// Returns how often each device, family, status and reason failed, the most frequent first, each with the id of one
/// such measurement.
Listing list_failures(const Store& store);

/// Returns one row of the view `measurements` with the winners that it is; no row if there is no such id.
Listing list_measurement(const Store& store, std::int64_t id);

/// Returns for each device, problem and regime how many measurements, sizes and winners there are, and how old they
/// are.
Listing list_contents(const Store& store);

/// The result of one check of a file.
struct Finding {
    std::string check;
    bool sound = true;
    std::string detail;
};

/// Returns the results of SQLite's own checks and of checks of the identity, the schema and the winners.
std::vector<Finding> check(const Store& store);

}  // namespace redtune::db
