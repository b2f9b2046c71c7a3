#include "db/space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "redtune/error.h"
#include "tuner/core/expression_names.h"
#include "tuner/core/finish.h"
#include "tuner/core/launch_values.h"
#include "tuner/core/nearest_name.h"

namespace redtune::db {

namespace {

// Limits of a space. A space beyond them is a mistake: people could not reason about it either.
constexpr int steps_between_checks = 100'000;
constexpr int most_checks = 2'000;
constexpr std::size_t most_candidates = 200'000;

struct CloseDatabase {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// Allows expressions to read and compute, and nothing else.
int authorize(void*, int action, const char*, const char* name, const char*, const char*) {
    if (action == SQLITE_FUNCTION) {
        return name != nullptr && std::string_view(name) == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    }
    return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

int count_steps(void* left) {
    return --*static_cast<int*>(left) < 0 ? 1 : 0;
}

std::string literal(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return "'" + *text + "'";  // an identifier: no quotes in it
    return to_string(value);
}

/// Reads the columns of a statement's current row by name.
class RowReader {
  public:
    explicit RowReader(sqlite3_stmt* row) : row_(row) {
        for (int i = 0; i < sqlite3_column_count(row); ++i) columns_[sqlite3_column_name(row, i)] = i;
    }

    std::optional<Value> value(const std::string& name) const {
        const auto found = columns_.find(name);
        if (found == columns_.end()) return std::nullopt;
        switch (sqlite3_column_type(row_, found->second)) {
            case SQLITE_INTEGER:
                return Value(static_cast<std::int64_t>(sqlite3_column_int64(row_, found->second)));
            case SQLITE_FLOAT:
                return Value(sqlite3_column_double(row_, found->second));
            case SQLITE_TEXT:
                return Value(std::string(reinterpret_cast<const char*>(sqlite3_column_text(row_, found->second))));
            default:
                return std::nullopt;
        }
    }

  private:
    sqlite3_stmt* row_;
    std::map<std::string, int> columns_;
};

/// The table that a family's expressions are evaluated over. In its SQL a newline follows every expression, so that a
/// comment in an expression ends with it.
class SpaceTable {
  public:
    SpaceTable(const Family& family, const ExpressionContext& context) : family_(family) {
        sqlite3* opened = nullptr;
        const int result = sqlite3_open(":memory:", &opened);
        database_.reset(opened);
        if (result != SQLITE_OK) throw InputError("SQLite cannot open a table in memory");
        sqlite3_set_authorizer(database_.get(), authorize, nullptr);
        sqlite3_progress_handler(database_.get(), steps_between_checks, count_steps, &checks_left_);

        from_ = cross_join(context);
        for (const Expression& derived : family_.derived) {
            check(derived);
            from_ = fmt::format("SELECT *, ({}\n) AS {} FROM ({})", derived.sql, derived.name, from_);
            names_.push_back(derived.name);
        }
    }

    /// Calls row(reader) for each row that satisfies the conditions.
    template <class Row>
    void for_each(Row row) {
        std::vector<std::string> conditions = finish_conditions_;
        for (const Expression& condition : family_.where) {
            check(condition);
            conditions.push_back(fmt::format("({}\n)", condition.sql));
        }
        std::string sql = "SELECT * FROM (" + from_ + ")";
        if (!conditions.empty()) sql += fmt::format(" WHERE {}", fmt::join(conditions, " AND "));
        const Statement statement = prepare(sql, family_.parameters.empty() ? 1 : family_.parameters[0].line);
        const RowReader reader(statement.get());
        int result = SQLITE_ROW;
        while ((result = sqlite3_step(statement.get())) == SQLITE_ROW) row(reader);
        if (result == SQLITE_INTERRUPT) fail(1, "the space is too large: give fewer values or stricter conditions");
        if (result != SQLITE_DONE) fail(1, sqlite3_errmsg(database_.get()));
    }

    [[noreturn]] void fail(int line, const std::string& message) const {
        throw InputError(fmt::format("{}:{}: {}", family_.path, line, message));
    }

  private:
    std::string cross_join(const ExpressionContext& context) {
        std::string columns;
        for (const auto& [name, value] : expression_names()) {
            columns += fmt::format("{}{} AS {}", columns.empty() ? "" : ", ", value(context), name);
            names_.emplace_back(name);
        }
        std::string tables;
        for (const ParameterValues& parameter : family_.parameters) {
            const bool is_finish = parameter.name == finish_parameter;
            std::vector<std::string> rows;
            for (const Value& value : parameter.values) {
                rows.push_back("(" + literal(value) + (is_finish ? finish_columns(value, context) : "") + ")");
            }
            const std::string table = "p_" + parameter.name;
            columns += fmt::format(", {}.column1 AS {}", table, parameter.name);
            tables += fmt::format("{}(VALUES {}) AS {}", tables.empty() ? " FROM " : " CROSS JOIN ",
                                  fmt::join(rows, ", "), table);
            names_.push_back(parameter.name);
            if (is_finish) columns += name_finish_columns(table);
        }
        return "SELECT " + columns + tables;
    }

    /// Returns whether expressions find the finish's value under this name: not where the family derives its own.
    bool supplies(const FinishValue& value) const {
        return std::none_of(family_.derived.begin(), family_.derived.end(),
                            [&](const Expression& derived) { return derived.name == value.name; });
    }

    /// Returns the values that follow from a finish, each after a comma: those that expressions may use, then whether
    /// the problem and the device support the finish, then whether it needs clusters.
    static std::string finish_columns(const Value& name, const ExpressionContext& context) {
        const Finish finish = parse_finish(to_string(name));
        std::string columns;
        for (const FinishValue& each : finish_values()) columns += ", " + literal(each.value(finish, context.problem));
        const int compute_capability = context.device.compute_major * 10 + context.device.compute_minor;
        return columns + fmt::format(", {:d}, {:d}", is_supported(finish, context.problem, compute_capability),
                                     traits_of(finish).needs_cluster);
    }

    /// Returns the names of finish_columns() as a part of a SELECT, and adds the conditions that follow from them.
    std::string name_finish_columns(const std::string& table) {
        std::string columns;
        int column = 1;  // the finish itself
        for (const FinishValue& each : finish_values()) {
            ++column;
            if (!supplies(each)) continue;
            columns += fmt::format(", {}.column{} AS {}", table, column, each.name);
            names_.emplace_back(each.name);
        }
        columns += fmt::format(", {0}.column{1} AS finish_is_supported, {0}.column{2} AS finish_needs_cluster", table,
                               column + 1, column + 2);
        const auto is_cluster = [](const auto& each) { return each.name == "cluster"; };
        const bool has_cluster = std::any_of(family_.parameters.begin(), family_.parameters.end(), is_cluster) ||
                                 std::any_of(family_.derived.begin(), family_.derived.end(), is_cluster);
        finish_conditions_ = {"finish_is_supported",
                              has_cluster ? "finish_needs_cluster = (cluster > 1)" : "not finish_needs_cluster"};
        return columns;
    }

    /// Refuses an expression that is not valid by itself, so that the message can name its line.
    void check(const Expression& expression) {
        prepare(fmt::format("SELECT ({}\n) FROM ({})", expression.sql, from_), expression.line, &expression);
    }

    Statement prepare(const std::string& sql, int line, const Expression* blamed = nullptr) {
        sqlite3_stmt* prepared = nullptr;
        const char* rest = nullptr;
        const int result =
            sqlite3_prepare_v2(database_.get(), sql.c_str(), static_cast<int>(sql.size()) + 1, &prepared, &rest);
        Statement statement(prepared);
        const bool all_read = rest != nullptr && *rest == '\0';
        if (result == SQLITE_OK && all_read) return statement;
        const std::string why =
            result == SQLITE_OK ? "it is more than one expression" : sqlite3_errmsg(database_.get());
        if (blamed == nullptr) fail(line, why);
        const std::string what = blamed->name.empty() ? "a condition" : "'" + blamed->name + "'";
        constexpr std::string_view no_column = "no such column: ";
        const std::string hint =
            why.starts_with(no_column) ? did_you_mean(std::string_view(why).substr(no_column.size()), names_) : "";
        fail(line, fmt::format("{} is not a valid SQL expression: {}: {}; it may use {}{}", what, blamed->sql, why,
                               fmt::join(names_, ", "), hint));
    }

    const Family& family_;
    Database database_;
    int checks_left_ = most_checks;
    std::string from_;
    std::vector<std::string> names_;              // that expressions may use so far
    std::vector<std::string> finish_conditions_;  // that every candidate of a family with a finish satisfies
};

/// Builds candidates from rows. Errors name the derived value that is wrong.
class CandidateReader {
  public:
    CandidateReader(const Family& family, const SpaceTable& table, std::uint32_t sm_count)
        : family_(family), table_(table), sm_count_(sm_count) {}

    Candidate read(const RowReader& row) const {
        Candidate candidate;
        candidate.configuration.family = family_.name;
        for (const ParameterValues& parameter : family_.parameters) {
            const Value value = row.value(parameter.name).value();
            candidate.configuration.parameters.push_back({parameter.name, value});
        }
        LaunchRule& rule = candidate.rule;
        rule.block = static_cast<std::uint32_t>(whole(row, "block"));
        rule.tile = static_cast<std::uint64_t>(whole(row, "tile"));
        rule.shared_bytes = static_cast<std::uint32_t>(whole(row, "shared_bytes"));
        rule.slot_bytes = static_cast<std::uint32_t>(whole(row, "slot_bytes"));
        rule.slots_zeroed = whole(row, "slots_zeroed") != 0;
        rule.rows_per_block = static_cast<std::uint32_t>(whole(row, "rows_per_block"));
        rule.blocks_per_row = static_cast<std::uint32_t>(whole(row, "blocks_per_row"));
        rule.cluster = static_cast<std::uint32_t>(whole(row, "cluster"));
        rule.combine_block = static_cast<std::uint32_t>(whole(row, "combine_block"));
        rule.combine_pdl = whole(row, "combine_pdl") != 0;
        rule.pdl = whole(row, "pdl") != 0;
        candidate.bytes_in_flight = static_cast<std::uint64_t>(whole(row, "bytes_in_flight"));
        candidate.destructive = family_.destructive;
        candidate.deterministic = whole(row, "deterministic") != 0;
        try {
            rule.grid = parse_grid_rule(text(row, "grid", "tiles"));
            rule.continuation = parse_continuation(text(row, "continuation", "none"));
        } catch (const InputError& error) {
            table_.fail(line_of("grid"), error.what());
        }
        if (rule.continuation == Continuation::combine_partials && rule.rows_per_block > 1) {
            table_.fail(line_of("continuation"),
                        "'combine_partials' needs rows_per_block = 1: a block leaves one partial");
        }
        if (rule.grid == GridRule::blocks) {
            rule.blocks = static_cast<std::uint32_t>(whole(row, "blocks"));
        }
        if (rule.grid == GridRule::blocks_per_sm) {
            const std::optional<Value> value = row.value("blocks_per_sm");
            if (!value || std::holds_alternative<std::string>(*value)) {
                table_.fail(line_of("grid"), "grid 'blocks_per_sm' needs a launch parameter blocks_per_sm");
            }
            rule.blocks_per_sm = std::holds_alternative<double>(*value)
                                     ? std::get<double>(*value)
                                     : static_cast<double>(std::get<std::int64_t>(*value));
            rule.sm_count = sm_count_;
        }
        return candidate;
    }

  private:
    int line_of(std::string_view name) const {
        for (const Expression& derived : family_.derived) {
            if (derived.name == name) return derived.line;
        }
        for (const ParameterValues& parameter : family_.parameters) {
            if (parameter.name == name) return parameter.line;
        }
        return 1;
    }

    /// Returns the candidate's value of a launch value that is a number.
    std::int64_t whole(const RowReader& row, const std::string& name) const {
        const LaunchValue& allowed = *find_launch_value(name);
        const std::optional<Value> value = row.value(name);
        if (!value && allowed.otherwise) return *allowed.otherwise;
        const auto* number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
        if (number == nullptr || *number < allowed.least || *number > allowed.most) {
            table_.fail(line_of(name),
                        fmt::format("'{}' is {} for some candidate; allowed are whole numbers from {} to {}", name,
                                    value ? to_string(*value) : "nothing", allowed.least, allowed.most));
        }
        return *number;
    }

    std::string text(const RowReader& row, const std::string& name, const std::string& otherwise) const {
        const std::optional<Value> value = row.value(name);
        return value ? to_string(*value) : otherwise;
    }

    const Family& family_;
    const SpaceTable& table_;
    std::uint32_t sm_count_;
};

/// Returns the values that the kernel depends on, as one text: configurations with the same text share a kernel.
std::string compile_values(const Family& family, const Configuration& configuration) {
    std::string values;
    for (std::size_t i = 0; i < family.parameters.size(); ++i) {
        if (family.parameters[i].compile) values += to_string(configuration.parameters[i].value) + ",";
    }
    return values;
}

/// Returns whether the device and the finish allow the candidate's launches.
bool is_legal(const Candidate& candidate, const DeviceInfo& device, const Problem& problem, const LaunchPlan& plan) {
    constexpr int first_major_with_clusters = 9;  // and with programmatic dependent launches
    const LaunchRule& rule = candidate.rule;
    const bool needs_it = rule.pdl || rule.combine_pdl || rule.cluster > 1;
    if (needs_it && device.compute_major < first_major_with_clusters) return false;
    const Value* finish = candidate.configuration.find(finish_parameter);
    return finish == nullptr || plan.steps[0].grid <= most_blocks(parse_finish(to_string(*finish)), problem);
}

/// Returns whether `a` is kept rather than `b`, where both have the same kernel and grid.
bool represents(const LaunchRule& a, const LaunchRule& b) {
    const auto rank = [](const LaunchRule& rule) {
        if (rule.grid == GridRule::blocks) return static_cast<double>(rule.blocks);
        return rule.blocks_per_sm <= 0 ? -1.0 : rule.blocks_per_sm;
    };
    return rank(a) < rank(b);
}

}  // namespace

std::vector<Candidate> candidates(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  std::uint64_t n, Regime regime) {
    if (device.compute_major * 10 + device.compute_minor < family.minimum_compute_capability) return {};
    const std::string_view shape = problem.row_length == 0 ? "whole" : "rows";
    if (std::find(family.shapes.begin(), family.shapes.end(), shape) == family.shapes.end()) return {};
    if (family.destructive && !problem.destructive) return {};

    SpaceTable table(family, {device, problem, n, regime});
    const CandidateReader reader(family, table, device.sm_count);
    std::vector<Candidate> result;
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::size_t> seen;
    table.for_each([&](const RowReader& row) {
        Candidate candidate = reader.read(row);
        const LaunchPlan plan = try_plan(candidate.rule, n, problem.row_length);
        if (plan.count == 0) return;  // more blocks than a grid can have
        if (problem.determinism == Determinism::run_to_run && !candidate.deterministic) return;
        if (!is_legal(candidate, device, problem, plan)) return;
        const auto [place, is_new] = seen.try_emplace(
            {compile_values(family, candidate.configuration), plan.steps[0].grid, plan.steps[0].cluster},
            result.size());
        if (is_new) {
            result.push_back(std::move(candidate));
        } else if (represents(candidate.rule, result[place->second].rule)) {
            result[place->second] = std::move(candidate);
        }
        if (result.size() > most_candidates) table.fail(1, "the space is too large: more than 200000 candidates");
    });
    return result;
}

}  // namespace redtune::db
