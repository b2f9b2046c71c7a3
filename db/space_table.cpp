#include "db/space_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "redtune/error.h"
#include "tuner/core/nearest_name.h"

namespace redtune::db {

namespace {

// A query is interrupted after most_checks x steps_between_checks steps of SQLite's virtual machine: a family whose
// table needs more steps has a mistake in its file.
constexpr int steps_between_checks = 100'000;
constexpr int most_checks = 2'000;

/// Callback for sqlite3_set_authorizer(): allows an expression to read and compute, and nothing else.
int authorize(void*, int action, const char*, const char* name, const char*, const char*) {
    if (action == SQLITE_FUNCTION) {
        return name != nullptr && std::string_view(name) == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    }
    return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

/// Callback for sqlite3_progress_handler(): counts down, and interrupts the query when the count falls below zero.
int count_steps(void* left) {
    return --*static_cast<int*>(left) < 0 ? 1 : 0;
}

/// Returns the value as an SQL literal. A text is always an identifier, so it has no quotes that need an escape.
std::string literal(const Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? "'" + *text + "'" : to_string(value);
}

/// Returns the SQL literals of a row of a parameter's table. The first is the value. If it is a finish, these follow:
/// the values that expressions may use, whether the problem and the device support the finish, and whether it needs
/// clusters.
std::vector<std::string> row_of(const Value& value, bool is_finish, const ExpressionContext& context) {
    std::vector<std::string> row = {literal(value)};
    if (!is_finish) return row;
    const Finish finish = parse_finish(to_string(value));
    for (const FinishValue& each : finish_values()) row.push_back(literal(each.value(finish, context.problem)));
    const int compute_capability = context.device.compute_major * 10 + context.device.compute_minor;
    row.push_back(fmt::format("{:d}", is_supported(finish, context.problem, compute_capability)));
    row.push_back(fmt::format("{:d}", traits_of(finish).needs_cluster));
    return row;
}

}  // namespace

RowReader::RowReader(sqlite3_stmt* row) : row_(row) {
    for (int i = 0; i < sqlite3_column_count(row); ++i) columns_[sqlite3_column_name(row, i)] = i;
}

std::optional<Value> RowReader::value(std::string_view name) const {
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

void SpaceTable::CloseDatabase::operator()(sqlite3* database) const {
    sqlite3_close(database);
}

void SpaceTable::FinalizeStatement::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

SpaceTable::SpaceTable(const Family& family, const DeviceInfo& device, const Problem& problem, Regime regime)
    : family_(family), context_{device, problem, 0, regime}, checks_left_(most_checks) {
    sqlite3* opened = nullptr;
    const int result = sqlite3_open(":memory:", &opened);
    database_.reset(opened);
    if (result != SQLITE_OK) throw InputError("SQLite cannot open a table in memory");
    sqlite3_set_authorizer(database_.get(), authorize, nullptr);
    sqlite3_progress_handler(database_.get(), steps_between_checks, count_steps, &checks_left_);

    parameters_ = cross_join();
}

void SpaceTable::for_each(std::uint64_t n, const std::function<void(const RowReader&)>& visit) {
    if (!query_) {
        query_ = prepare_query();
        row_.emplace(query_.get());
    }
    context_.n = n;
    checks_left_ = most_checks;
    sqlite3_reset(query_.get());
    bind(query_.get());
    int result = SQLITE_ROW;
    while ((result = sqlite3_step(query_.get())) == SQLITE_ROW) visit(*row_);
    if (result == SQLITE_INTERRUPT) fail(1, "the space is too large: give fewer values or stricter conditions");
    if (result != SQLITE_DONE) fail(1, sqlite3_errmsg(database_.get()));
}

SpaceTable::PreparedStatement SpaceTable::prepare_query() {
    std::string from = parameters_;
    for (const Expression& derived : family_.derived) from = with_derived(derived, from);
    std::vector<std::string> conditions = finish_conditions_;
    for (const Expression& condition : family_.where) conditions.push_back(fmt::format("({}\n)", condition.sql));
    std::string sql = "SELECT * FROM (" + from + ")";
    if (!conditions.empty()) sql += fmt::format(" WHERE {}", fmt::join(conditions, " AND "));
    auto [statement, error] = prepare(sql);
    if (error) {
        check_expressions();
        fail(family_.parameters.empty() ? 1 : family_.parameters[0].line, *error);
    }
    return std::move(statement);
}

void SpaceTable::bind(sqlite3_stmt* statement) const {
    int position = 0;
    for (const ExpressionName& each : expression_names()) {
        const std::uint64_t value = each.value(context_);
        ++position;
        if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            sqlite3_bind_int64(statement, position, static_cast<std::int64_t>(value));
        } else {
            sqlite3_bind_double(statement, position, static_cast<double>(value));
        }
    }
}

void SpaceTable::fail(int line, const std::string& message) const {
    throw InputError(fmt::format("{}:{}: {}", family_.path, line, message));
}

std::string SpaceTable::cross_join() {
    std::string columns;
    for (const ExpressionName& each : expression_names()) {
        names_.emplace_back(each.name);
        columns += fmt::format("{}?{} AS {}", columns.empty() ? "" : ", ", names_.size(), each.name);
    }
    std::string tables;
    for (const ParameterValues& parameter : family_.parameters) {
        const bool is_finish = parameter.name == finish_parameter;
        std::vector<std::string> row;
        if (parameter.values.size() == 1) {
            // Without a table: SQLite would make a temporary one whenever the query runs.
            row = row_of(parameter.values.front(), is_finish, context_);
        } else {
            const std::string table = "p_" + parameter.name;
            std::vector<std::string> rows;
            for (const Value& value : parameter.values) {
                const std::vector<std::string> literals = row_of(value, is_finish, context_);
                rows.push_back(fmt::format("({})", fmt::join(literals, ", ")));
                row.resize(literals.size());
            }
            for (std::size_t i = 0; i < row.size(); ++i) row[i] = fmt::format("{}.column{}", table, i + 1);
            tables += fmt::format("{}(VALUES {}) AS {}", tables.empty() ? " FROM " : " CROSS JOIN ",
                                  fmt::join(rows, ", "), table);
        }
        columns += fmt::format(", {} AS {}", row.front(), parameter.name);
        names_.push_back(parameter.name);
        if (is_finish) columns += name_finish_columns(row);
    }
    return "SELECT " + columns + tables;
}

bool SpaceTable::is_determined_by_finish(const FinishValue& value) const {
    return std::none_of(family_.derived.begin(), family_.derived.end(),
                        [&](const Expression& derived) { return derived.name == value.name; });
}

std::string SpaceTable::name_finish_columns(const std::vector<std::string>& row) {
    std::string columns;
    std::size_t column = 0;  // of the finish itself
    for (const FinishValue& each : finish_values()) {
        ++column;
        if (!is_determined_by_finish(each)) continue;
        columns += fmt::format(", {} AS {}", row[column], each.name);
        names_.emplace_back(each.name);
    }
    columns += fmt::format(", {} AS finish_is_supported, {} AS finish_needs_cluster", row[column + 1], row[column + 2]);
    const auto is_cluster = [](const auto& each) { return each.name == "cluster"; };
    const bool has_cluster = std::any_of(family_.parameters.begin(), family_.parameters.end(), is_cluster) ||
                             std::any_of(family_.derived.begin(), family_.derived.end(), is_cluster);
    finish_conditions_ = {"finish_is_supported",
                          has_cluster ? "finish_needs_cluster = (cluster > 1)" : "not finish_needs_cluster"};
    return columns;
}

std::string SpaceTable::with_derived(const Expression& derived, const std::string& from) {
    return fmt::format("SELECT *, ({}\n) AS {} FROM ({})", derived.sql, derived.name, from);
}

void SpaceTable::check_expressions() {
    std::string from = parameters_;
    for (const Expression& derived : family_.derived) {
        check(derived, from);
        from = with_derived(derived, from);
        names_.push_back(derived.name);
    }
    for (const Expression& condition : family_.where) check(condition, from);
}

void SpaceTable::check(const Expression& expression, const std::string& from) {
    const auto [statement, error] = prepare(fmt::format("SELECT ({}\n) FROM ({})", expression.sql, from));
    if (!error) return;
    const std::string what = expression.name.empty() ? "a condition" : "'" + expression.name + "'";
    constexpr std::string_view no_column = "no such column: ";
    const std::string hint =
        error->starts_with(no_column) ? did_you_mean(std::string_view(*error).substr(no_column.size()), names_) : "";
    fail(expression.line, fmt::format("{} is not a valid SQL expression: {}: {}; it may use {}{}", what, expression.sql,
                                      *error, fmt::join(names_, ", "), hint));
}

SpaceTable::Prepared SpaceTable::prepare(const std::string& sql) {
    sqlite3_stmt* prepared = nullptr;
    const char* rest = nullptr;
    const int result =
        sqlite3_prepare_v2(database_.get(), sql.c_str(), static_cast<int>(sql.size()) + 1, &prepared, &rest);
    PreparedStatement statement(prepared);
    if (result != SQLITE_OK) return {nullptr, sqlite3_errmsg(database_.get())};
    if (rest == nullptr || *rest != '\0') return {nullptr, "it is more than one expression"};
    return {std::move(statement), std::nullopt};
}

}  // namespace redtune::db
