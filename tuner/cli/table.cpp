#include "tuner/cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace redtune::cli {

namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

bool is_number(const Cell& cell) {
    return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

/// For people: doubles rounded, booleans as yes and no.
std::string readable(const Cell& cell, const Column& column) {
    return std::visit(
        Overloaded{[](std::monostate) { return std::string("-"); }, [](const std::string& text) { return text; },
                   [](std::int64_t number) { return fmt::to_string(number); },
                   [&](double number) { return fmt::format("{:.{}f}", number, column.decimals); },
                   [](bool flag) { return std::string(flag ? "yes" : "no"); }},
        cell);
}

/// For programs: doubles as short as still reads back to the same value.
std::string exact(const Cell& cell) {
    return std::visit(
        Overloaded{[](std::monostate) { return std::string(); }, [](const std::string& text) { return text; },
                   [](const auto& value) { return fmt::format("{}", value); }},
        cell);
}

/// Columns on a terminal: code points, so that the micro sign counts once.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t to, bool right) {
    const std::string space(to - std::min(to, width(text)), ' ');
    return right ? space + text : text + space;
}

/// A cell is one line, whatever its text holds.
std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return text;
}

std::string markdown_escaped(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("\\|*<`").find(c) != std::string_view::npos) {
            escaped += '\\';
        }
        escaped += c;
    }
    return escaped;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"') {
            quoted += c;
        }
    }
    return quoted + '"';
}

/// The texts of a table for people, header first, and how they line up.
struct Layout {
    std::vector<std::vector<std::string>> lines;
    std::vector<std::size_t> widths;
    std::vector<bool> right;
};

Layout lay_out(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows, bool markdown) {
    Layout layout;
    const auto text = [&](std::string cell) {
        cell = one_line(std::move(cell));
        return markdown ? markdown_escaped(cell) : cell;
    };
    auto& header = layout.lines.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        header.push_back(text(columns[i].name));
        layout.right.push_back(
            std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return is_number(row[i]); }));
    }
    for (const auto& row : rows) {
        auto& line = layout.lines.emplace_back();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            line.push_back(text(readable(row[i], columns[i])));
        }
    }
    // A rule of Markdown needs three characters.
    layout.widths.assign(columns.size(), markdown ? 3 : 0);
    for (const auto& line : layout.lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            layout.widths[i] = std::max(layout.widths[i], width(line[i]));
        }
    }
    return layout;
}

void print_table(std::ostream& out, const Layout& layout) {
    for (const auto& line : layout.lines) {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i) {
            text += padded(line[i], layout.widths[i], layout.right[i]) + "  ";
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out << text << '\n';
    }
}

void print_markdown(std::ostream& out, const Layout& layout) {
    for (std::size_t number = 0; number < layout.lines.size(); ++number) {
        for (std::size_t i = 0; i < layout.widths.size(); ++i) {
            out << "| " << padded(layout.lines[number][i], layout.widths[i], layout.right[i]) << ' ';
        }
        out << "|\n";
        if (number > 0) {
            continue;
        }
        for (std::size_t i = 0; i < layout.widths.size(); ++i) {
            out << "| " << std::string(layout.widths[i] - 1, '-') << (layout.right[i] ? ": " : "- ");
        }
        out << "|\n";
    }
}

void print_json(std::ostream& out, const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows) {
    auto array = nlohmann::ordered_json::array();
    for (const auto& row : rows) {
        auto object = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            auto& member = object[columns[i].name];
            std::visit(Overloaded{[](std::monostate) {}, [&](const auto& value) { member = value; }}, row[i]);
        }
        array.push_back(std::move(object));
    }
    // Text that is not UTF-8 (a path, a driver's message) must not end the program.
    out << array.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

void print_csv(std::ostream& out, const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows) {
    const char* separator = "";
    for (const auto& column : columns) {
        out << std::exchange(separator, ",") << csv_field(column.name);
    }
    out << "\r\n";
    for (const auto& row : rows) {
        separator = "";
        for (const auto& cell : row) {
            out << std::exchange(separator, ",") << csv_field(exact(cell));
        }
        out << "\r\n";
    }
}

}  // namespace

void Table::add(std::vector<Cell> row) {
    if (row.size() != columns_.size()) {
        throw std::invalid_argument(fmt::format("a row of {} cells in a table of {} columns; give one cell for each",
                                                row.size(), columns_.size()));
    }
    rows_.push_back(std::move(row));
}

void Table::print(std::ostream& out, Format format) const {
    switch (format) {
        case Format::table:
            return print_table(out, lay_out(columns_, rows_, false));
        case Format::md:
            return print_markdown(out, lay_out(columns_, rows_, true));
        case Format::json:
            return print_json(out, columns_, rows_);
        case Format::csv:
            return print_csv(out, columns_, rows_);
    }
}

}  // namespace redtune::cli
