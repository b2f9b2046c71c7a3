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

namespace redtune::db {

namespace {

// A space is a table for people to reason about: one that needs more steps than this has a mistake in it.
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

/// Expressions may read and compute, nothing else.
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

/// The columns of a statement's current row, by name.
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

/// What a family's expressions are evaluated over. In SQL, a newline follows every expression, so that a comment in it
/// swallows nothing else.
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

    /// All columns of all rows that satisfy the conditions.
    template <class Row>
    void for_each(Row row) {
        std::string sql = "SELECT * FROM (" + from_ + ")";
        for (std::size_t i = 0; i < family_.where.size(); ++i) {
            check(family_.where[i]);
            sql += fmt::format("{} ({}\n)", i == 0 ? " WHERE" : " AND", family_.where[i].sql);
        }
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
            std::vector<std::string> rows;
            for (const Value& value : parameter.values) rows.push_back("(" + literal(value) + ")");
            columns += fmt::format(", p_{0}.column1 AS {0}", parameter.name);
            tables += fmt::format("{}(VALUES {}) AS p_{}", tables.empty() ? " FROM " : " CROSS JOIN ",
                                  fmt::join(rows, ", "), parameter.name);
            names_.push_back(parameter.name);
        }
        return "SELECT " + columns + tables;
    }

    /// Refuses an expression by itself, so that the message can name its line.
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
        fail(line, fmt::format("{} is not a valid SQL expression: {}: {}; it may use {}", what, blamed->sql, why,
                               fmt::join(names_, ", ")));
    }

    const Family& family_;
    Database database_;
    int checks_left_ = most_checks;
    std::string from_;
    std::vector<std::string> names_;
};

/// Builds candidates from rows, and says which derived value is wrong.
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
            if (parameter.compile) {
                candidate.instantiation +=
                    (candidate.instantiation.empty() ? "" : ", ") + template_argument(parameter.name, value);
            }
        }
        LaunchRule& rule = candidate.rule;
        rule.block = static_cast<std::uint32_t>(whole(row, "block", 1, 1024, std::nullopt));
        rule.tile = static_cast<std::uint64_t>(whole(row, "tile", 1, std::int64_t{1} << 40, std::nullopt));
        rule.shared_bytes = static_cast<std::uint32_t>(whole(row, "shared_bytes", 0, 1 << 20, 0));
        rule.slot_bytes = static_cast<std::uint32_t>(whole(row, "slot_bytes", 0, 1 << 20, 0));
        rule.slots_zeroed = whole(row, "slots_zeroed", 0, 1, 0) != 0;
        constexpr std::int64_t most_blocks = 1 << 24;
        rule.rows_per_block = static_cast<std::uint32_t>(whole(row, "rows_per_block", 1, 1024, 1));
        rule.blocks_per_row = static_cast<std::uint32_t>(whole(row, "blocks_per_row", 1, most_blocks, 1));
        constexpr std::int64_t largest_cluster = 16;
        rule.cluster = static_cast<std::uint32_t>(whole(row, "cluster", 1, largest_cluster, 1));
        rule.combine_block = static_cast<std::uint32_t>(whole(row, "combine_block", 0, 1024, 0));
        rule.combine_pdl = whole(row, "combine_pdl", 0, 1, 0) != 0;
        rule.pdl = whole(row, "pdl", 0, 1, 0) != 0;
        candidate.bytes_in_flight =
            static_cast<std::uint64_t>(whole(row, "bytes_in_flight", 0, std::int64_t{1} << 40, 0));
        candidate.destructive = family_.destructive;
        candidate.deterministic = whole(row, "deterministic", 0, 1, 1) != 0;
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
            rule.blocks = static_cast<std::uint32_t>(whole(row, "blocks", 1, most_blocks, std::nullopt));
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
    /// Names are enumerators of an enumeration called like the parameter: finish = "ticket" is Finish::ticket.
    static std::string template_argument(const std::string& name, const Value& value) {
        if (!std::holds_alternative<std::string>(value)) return to_string(value);
        std::string type = name;
        type[0] = static_cast<char>(type[0] - 'a' + 'A');
        return "redtune::" + type + "::" + to_string(value);
    }

    int line_of(std::string_view name) const {
        for (const Expression& derived : family_.derived) {
            if (derived.name == name) return derived.line;
        }
        for (const ParameterValues& parameter : family_.parameters) {
            if (parameter.name == name) return parameter.line;
        }
        return 1;
    }

    std::int64_t whole(const RowReader& row, const std::string& name, std::int64_t least, std::int64_t most,
                       std::optional<std::int64_t> otherwise) const {
        const std::optional<Value> value = row.value(name);
        if (!value && otherwise) return *otherwise;
        const auto* number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
        if (number == nullptr || *number < least || *number > most) {
            table_.fail(line_of(name),
                        fmt::format("'{}' is {} for some candidate; allowed are whole numbers from {} to {}", name,
                                    value ? to_string(*value) : "nothing", least, most));
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

/// Whether `a` stands for the kernel and grid that both share.
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
        const auto [place, is_new] =
            seen.try_emplace({candidate.instantiation, plan.steps[0].grid, plan.steps[0].cluster}, result.size());
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
