#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "db/store.h"

namespace redtune::db {

/// NULL, text, a whole number or a number.
using Field = std::variant<std::monostate, std::string, std::int64_t, double>;

/// Rows for people. The columns' names carry their units, as the views' do.
struct Listing {
    std::vector<std::string> columns;
    std::vector<std::vector<Field>> rows;
};

/// What is given must be equal.
struct WinnerFilter {
    std::optional<std::string> op;
    std::optional<std::string> dtype;
    std::optional<std::string> device;
    std::optional<std::string> regime;
};

/// The view `winners`, by device, problem, regime, determinism and n.
Listing list_winners(const Store& store, const WinnerFilter& filter);

/// The view `sweeps`, the latest first.
Listing list_sweeps(const Store& store, std::uint32_t most);

/// Failures by device, family, status and reason, the most frequent first, each with one measurement to look at.
Listing list_failures(const Store& store);

/// One row of the view `measurements`, with what it won; no row where there is no such id.
Listing list_measurement(const Store& store, std::int64_t id);

/// Per device, problem and regime: how many measurements, sizes and winners there are, and how old they are.
Listing list_contents(const Store& store);

/// One thing that was looked at.
struct Finding {
    std::string check;
    bool sound = true;
    std::string detail;
};

/// Whether the file is sound: SQLite's own checks, the identity, the schema, and winners that could not have won.
std::vector<Finding> check(const Store& store);

}  // namespace redtune::db
