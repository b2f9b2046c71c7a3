#include "db/row_importer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "db/json_line.h"
#include "db/row_checks.h"
#include "redtune/error.h"
#include "tuner/core/nearest_name.h"

namespace redtune::db {

namespace {

std::string insert_statement(const ExchangedTable& table) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const ExchangedColumn& column = table.columns[i];
        names.push_back(column.name);
        // ?1 is the whole line. SQLite returns its members as they were written, down to the digits of numbers, which
        // matter because a configuration is recognised by the text of its parameters.
        values.push_back(column.type == ExchangedType::json ? fmt::format("?1 -> '$.{}'", column.member)
                         : column.type == ExchangedType::name
                             ? fmt::format("(SELECT id FROM {} WHERE name = ?{})", column.parent, i + 2)
                             : fmt::format("?{}", i + 2));
    }
    return fmt::format("INSERT INTO {} ({}) VALUES ({})", table.name, fmt::join(names, ", "), fmt::join(values, ", "));
}

/// Throws InputError if a line has a member that its table has no column for.
void check_members(const ExchangedTable& table, const Json& line) {
    std::vector<std::string> known{"table"};
    for (const ExchangedColumn& column : table.columns) known.push_back(column.member);
    for (const auto& [name, value] : line.items()) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        throw InputError(fmt::format("'{}' is no member of a line of '{}'; allowed are {}{}", name, table.name,
                                     fmt::join(known, ", "), did_you_mean(name, known)));
    }
}

std::int64_t whole_number(JsonObject& row, const std::string& member) {
    const auto number = row.whole_number<std::uint64_t>(member.c_str());
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (number > most) row.refuse(member.c_str(), number, fmt::format("a whole number from 0 to {}", most));
    return static_cast<std::int64_t>(number);
}

}  // namespace

RowImporter::RowImporter(Connection& rows)
    : rows_(rows), insert_data_(rows.prepare("INSERT OR IGNORE INTO data (name) VALUES (?1)")) {
    for (ExchangedTable& format : exchanged_tables(rows)) {
        Statement insert = rows.prepare(insert_statement(format));
        names_.push_back(format.name);
        tables_.emplace(names_.back(), Table{std::move(format), std::move(insert), {}, {}});
    }
    for (const char* table : {"regime", "stage", "status"}) {
        Statement rows_of_table = rows.prepare(fmt::format("SELECT name FROM {} ORDER BY id", table));
        while (rows_of_table.step()) allowed_[table].push_back(rows_of_table.text(0));
    }
}

RowImporter::Table& RowImporter::table_of(const Json& line) {
    const auto table = line.find("table");
    if (table == line.end() || !table->is_string()) throw InputError("the line has no 'table', the name of a table");
    const auto name = table->get<std::string>();
    const auto found = tables_.find(name);
    if (found != tables_.end()) return found->second;
    throw InputError(fmt::format("there is no table '{}' in an export; allowed are {}{}", name, fmt::join(names_, ", "),
                                 did_you_mean(name, names_)));
}

bool RowImporter::refers_to_rejected(const Table& table, JsonObject& row) {
    for (const ExchangedColumn& column : table.format.columns) {
        const bool is_reference = !column.parent.empty() && column.type == ExchangedType::integer;
        if (!is_reference || !row.has(column.member.c_str())) continue;
        const std::int64_t id = whole_number(row, column.member);
        const Table& parent = tables_.at(column.parent);
        if (parent.ids.contains(id)) continue;
        if (has_unreadable_line_ || parent.rejected.contains(id)) return true;
        throw InputError(
            fmt::format("'{}' is {}, but no earlier line is the {} with this id", column.member, id, column.parent));
    }
    return false;
}

std::string RowImporter::name_in(const ExchangedColumn& column, JsonObject& row) {
    std::string name = row.text(column.member.c_str());
    if (column.parent == "data") {
        insert_data_.bind(name).run();
        return name;
    }
    const std::vector<std::string>& names = allowed_.at(column.parent);
    if (std::find(names.begin(), names.end(), name) != names.end()) return name;
    throw InputError(fmt::format("'{}' is no {}; allowed are {}{}", name, column.parent, fmt::join(names, ", "),
                                 did_you_mean(name, names)));
}

void RowImporter::bind(Table& table, JsonObject& row, const std::string& line) {
    table.insert.reset();
    table.insert.bind_value(1, std::string_view(line));
    int index = 1;
    for (const ExchangedColumn& column : table.format.columns) {
        ++index;
        const char* member = column.member.c_str();
        if (!row.has(member) && !column.is_required) {
            table.insert.bind_value(index, std::nullopt);
            continue;
        }
        switch (column.type) {
            case ExchangedType::integer:
                table.insert.bind_value(index, whole_number(row, column.member));
                break;
            case ExchangedType::real:
                table.insert.bind_value(index, row.number(member));
                break;
            case ExchangedType::text:
                table.insert.bind_value(index, std::string_view(row.text(member)));
                break;
            case ExchangedType::json:
                row.member(member);  // throws if there is none
                break;
            case ExchangedType::name:
                table.insert.bind_value(index, std::string_view(name_in(column, row)));
                break;
        }
    }
}

void RowImporter::insert_into(Table& table, const Json& object, const std::string& line) {
    check_members(table.format, object);
    JsonObject row(object, fmt::format("the line of '{}'", table.format.name));
    if (refers_to_rejected(table, row)) {
        if (object.contains("id")) table.rejected.insert(whole_number(row, "id"));
        return;
    }
    bind(table, row, line);
    check_row(rows_, table.format.name, row);
    if (const auto violation = table.insert.run_or_violation()) throw InputError(*violation);
    if (object.contains("id")) table.ids.insert(whole_number(row, "id"));
}

void RowImporter::insert(const std::string& line) {
    Json object;
    Table* table = nullptr;
    try {
        object = parse_json_line(line);
        table = &table_of(object);
        insert_into(*table, object, line);
    } catch (const Error&) {
        const auto id = object.find("id");
        if (table != nullptr && id != object.end() && id->is_number_integer()) {
            table->rejected.insert(id->get<std::int64_t>());
        } else {
            has_unreadable_line_ = true;
        }
        throw;
    }
}

}  // namespace redtune::db
