#include "db/winner_diff.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "db/connection.h"
#include "redtune/problem.h"
#include "tuner/core/complete.h"
#include "tuner/core/configuration.h"

namespace redtune::db {

namespace {

constexpr std::string_view winners_of_database =
    "SELECT device, op, dtype, shape, accumulator_type, output_type, regime, determinism, n, family, parameters, "
    "time_us "
    "FROM winners";

constexpr std::string_view winners_of_sweep = R"sql(
    SELECT device.name, problem.op, problem.input_type, problem.shape, problem.accumulator_type, problem.output_type,
           regime.name, 'any', n, family.name, configuration.parameters, median_us
    FROM (SELECT *, row_number() OVER (PARTITION BY regime_id, n
                                       ORDER BY stage_id DESC, data_id <> 0, median_us, id) AS place
          FROM measurement WHERE sweep_id = ?1 AND status_id = 0) AS measured
    JOIN sweep ON sweep.id = measured.sweep_id
    JOIN device ON device.id = sweep.device_id
    JOIN problem ON problem.id = sweep.problem_id
    JOIN regime ON regime.id = measured.regime_id
    JOIN configuration ON configuration.id = measured.configuration_id
    JOIN family ON family.id = configuration.family_id
    WHERE place = 1)sql";

/// The stage must be a literal: only then can SQLite use the partial index.
constexpr std::string_view time_of_finalist = R"sql(
    SELECT measurement.median_us
    FROM family
    JOIN configuration ON configuration.family_id = family.id
    JOIN measurement INDEXED BY finalist_by_configuration ON measurement.configuration_id = configuration.id
    JOIN sweep ON sweep.id = measurement.sweep_id
    JOIN device ON device.id = sweep.device_id
    JOIN problem ON problem.id = sweep.problem_id
    WHERE measurement.stage_id = 2 AND measurement.status_id = 0
      AND device.name = ?1 AND problem.op = ?2 AND problem.input_type = ?3 AND problem.shape = ?4
      AND problem.accumulator_type = ?5 AND problem.output_type = ?6
      AND measurement.regime_id = (SELECT id FROM regime WHERE name = ?7) AND measurement.n = ?8
      AND family.name = ?9 AND configuration.parameters = ?10 AND (?11 IS NULL OR sweep.id = ?11)
    ORDER BY measurement.data_id <> 0, measurement.id DESC
    LIMIT 1)sql";

/// A device, problem, regime, size and kind of determinism. The size comes last, so that rows are sorted by it.
struct Cell {
    std::string device, op, dtype, shape, accumulator_type, output_type, regime, determinism;
    std::int64_t n = 0;

    auto key() const {
        return std::tie(device, op, dtype, shape, accumulator_type, output_type, regime, determinism, n);
    }
    friend bool operator<(const Cell& x, const Cell& y) { return x.key() < y.key(); }
};

struct Winner {
    std::string family;
    std::string parameters;  ///< as they are stored
    double time_us = 0;
};

/// @param of_any_only leaves out the winners among the deterministic configurations, of which a sweep has none
std::map<Cell, Winner> winners_of(const ComparedWinners& side, bool of_any_only) {
    Statement rows = side.store->connection().prepare(side.sweep ? winners_of_sweep : winners_of_database);
    if (side.sweep) rows.bind(*side.sweep);
    std::map<Cell, Winner> found;
    while (rows.step()) {
        Cell cell{rows.text(0), rows.text(1), rows.text(2), rows.text(3),   rows.text(4),
                  rows.text(5), rows.text(6), rows.text(7), rows.integer(8)};
        if (of_any_only && cell.determinism != to_string(Determinism::any)) continue;
        found.emplace(std::move(cell), Winner{rows.text(9), rows.text(10), rows.real(11)});
    }
    return found;
}

/// Returns the time of the other side's winner as a finalist of this side, over the time of this side's winner.
Field ratio_of_other(const ComparedWinners& side, const Cell& cell, const Winner& winner, const Winner& other) {
    Statement row = side.store->connection().prepare(time_of_finalist);
    row.bind(cell.device, cell.op, cell.dtype, cell.shape, cell.accumulator_type, cell.output_type, cell.regime, cell.n,
             other.family, other.parameters, side.sweep);
    if (!row.step()) return std::monostate{};
    return row.real(0) / winner.time_us;
}

void add_winner(std::vector<Field>& row, const Winner* winner) {
    if (winner == nullptr) {
        row.insert(row.end(), 3, std::monostate{});
        return;
    }
    row.emplace_back(winner->family);
    row.emplace_back(winner->parameters);
    row.emplace_back(winner->time_us);
}

class Comparison {
  public:
    Comparison(const ComparedWinners& a, const ComparedWinners& b, std::span<const Family> families, double tolerance)
        : a_(a), b_(b), families_(families), tolerance_(tolerance) {
        result_.rows.columns = {"device",           "op",           "dtype",        "shape",
                                "accumulator_type", "output_type",  "regime",       "n",
                                "determinism",      "difference",   "a_family",     "a_parameters",
                                "a_time_us",        "b_family",     "b_parameters", "b_time_us",
                                "time_ratio",       "a_in_b_ratio", "b_in_a_ratio"};
    }

    WinnerDiff run() {
        const bool of_any_only = a_.sweep || b_.sweep;
        const std::map<Cell, Winner> of_a = winners_of(a_, of_any_only);
        std::map<Cell, Winner> of_b = winners_of(b_, of_any_only);
        for (const auto& [cell, winner] : of_a) {
            const auto other = of_b.find(cell);
            if (other == of_b.end()) {
                add_row(cell, "only in A", &winner, nullptr);
                continue;
            }
            compare(cell, winner, other->second);
            of_b.erase(other);
        }
        for (const auto& [cell, winner] : of_b) add_row(cell, "only in B", nullptr, &winner);
        return std::move(result_);
    }

  private:
    Configuration completed(const Winner& winner) const {
        return complete({winner.family, parameters_from_json(winner.parameters)}, families_);
    }

    void compare(const Cell& cell, const Winner& a, const Winner& b) {
        const double ratio = b.time_us / a.time_us;
        if (completed(a) != completed(b)) {
            add_row(cell, "winner", &a, &b, ratio, ratio_of_other(b_, cell, b, a), ratio_of_other(a_, cell, a, b));
        } else if (std::max(ratio, 1 / ratio) > 1 + tolerance_) {
            add_row(cell, "time", &a, &b, ratio);
        } else {
            ++result_.equal;
        }
    }

    void add_row(const Cell& cell, std::string difference, const Winner* a, const Winner* b, Field time_ratio = {},
                 Field a_in_b = {}, Field b_in_a = {}) {
        auto& row = result_.rows.rows.emplace_back();
        row = {cell.device,      cell.op,     cell.dtype, cell.shape,       cell.accumulator_type,
               cell.output_type, cell.regime, cell.n,     cell.determinism, std::move(difference)};
        add_winner(row, a);
        add_winner(row, b);
        row.push_back(std::move(time_ratio));
        row.push_back(std::move(a_in_b));
        row.push_back(std::move(b_in_a));
    }

    const ComparedWinners& a_;
    const ComparedWinners& b_;
    std::span<const Family> families_;
    double tolerance_;
    WinnerDiff result_;
};

}  // namespace

WinnerDiff diff_winners(const ComparedWinners& a, const ComparedWinners& b, std::span<const Family> families,
                        double tolerance) {
    return Comparison(a, b, families, tolerance).run();
}

}  // namespace redtune::db
