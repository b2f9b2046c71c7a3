#include "tuner/cli/table.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "tuner/cli/colour.h"
#include "tuner/cli/terminal.h"
#include "tuner/cli/wrap.h"

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

/// Returns a cell as text for human-readable tables: doubles are rounded, booleans are yes and no.
std::string readable(const Cell& cell, const Column& column, bool brief) {
    return std::visit(
        Overloaded{[](std::monostate) { return std::string("-"); }, [](const std::string& text) { return text; },
                   [&](const Abbreviated& text) { return brief ? text.brief : text.full; },
                   [](std::int64_t number) { return fmt::to_string(number); },
                   [&](double number) { return fmt::format("{:.{}f}", number, column.decimals); },
                   [](bool flag) { return std::string(flag ? "yes" : "no"); }},
        cell);
}

/// Returns a cell as text for programs: a double becomes the shortest text that reads back to the same value.
std::string full_precision(const Cell& cell) {
    return std::visit(
        Overloaded{[](std::monostate) { return std::string(); }, [](const std::string& text) { return text; },
                   [](const Abbreviated& text) { return text.full; },
                   [](const auto& value) { return fmt::format("{}", value); }},
        cell);
}

std::string padded(const std::string& text, std::size_t to, bool right) {
    const std::string space(to - std::min(to, display_width(text)), ' ');
    return right ? space + text : text + space;
}

/// Returns the text with spaces in place of line breaks and tabs, because a cell is one line.
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

/// A human-readable table: its texts, and the width and alignment of its columns.
struct Layout {
    std::vector<std::vector<std::string>> lines;  ///< the header, then the rows
    std::vector<std::size_t> widths;
    std::vector<bool> right;   ///< true: the column is right-aligned
    bool breaks_more = false;  ///< true: texts also wrap at more_text_breaks if they would not fit otherwise
};

/// Returns the layout of a table, with each column as wide as its widest text.
/// @param shown indices of the columns to show
Layout lay_out(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows,
               const std::vector<std::size_t>& shown, Format format) {
    const bool markdown = format == Format::md;
    Layout layout;
    const auto text = [&](std::string cell) {
        cell = one_line(std::move(cell));
        return markdown ? markdown_escaped(cell) : cell;
    };
    auto& header = layout.lines.emplace_back();
    for (const std::size_t i : shown) {
        header.push_back(text(columns[i].name));
        layout.right.push_back(
            std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return is_number(row[i]); }));
    }
    for (const auto& row : rows) {
        auto& line = layout.lines.emplace_back();
        for (const std::size_t i : shown) line.push_back(text(readable(row[i], columns[i], format == Format::table)));
    }
    // The delimiter row below a Markdown header needs three characters in each column.
    layout.widths.assign(shown.size(), markdown ? 3 : 0);
    for (const auto& line : layout.lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            layout.widths[i] = std::max(layout.widths[i], display_width(line[i]));
        }
    }
    return layout;
}

std::vector<std::size_t> all_columns(const std::vector<Column>& columns) {
    std::vector<std::size_t> shown(columns.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    return shown;
}

/// Returns the indices of the columns that Format::table shows if there is room for all of them.
std::vector<std::size_t> columns_for_people(const std::vector<Column>& columns,
                                            const std::vector<std::vector<Cell>>& rows) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const bool varies =
            std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row[i] != rows.front()[i]; });
        const bool is_empty = std::all_of(
            rows.begin(), rows.end(), [&](const auto& row) { return std::holds_alternative<std::monostate>(row[i]); });
        const Visibility visibility = columns[i].visibility;
        const bool must_vary = visibility == Visibility::if_varied || visibility == Visibility::if_varied_and_room;
        const bool is_left_out =
            visibility == Visibility::never || (must_vary && !varies) || (visibility == Visibility::if_any && is_empty);
        if (!is_left_out) shown.push_back(i);
    }
    return shown;
}

constexpr std::string_view gap = "  ";
constexpr std::size_t shortest_wrapped_header = 9;  // headers up to this width stay on one line: gb_per_s
constexpr std::string_view header_breaks = "_ ";    // characters after which headers wrap: time_us
constexpr std::string_view text_breaks = " (,";     // the same for texts: tile_per_block(block=512, unroll=4)
// The same for texts that would not fit otherwise: columns:1048576, /home/user/redtune.db
constexpr std::string_view more_text_breaks = " (,:_/=";

/// Returns whether a text is a time as utc_now() writes it.
bool is_time(std::string_view text) {
    constexpr std::string_view form = "0000-00-00T00:00:00Z";
    return std::ranges::equal(
        text, form, [](char one, char of_form) { return of_form == '0' ? one >= '0' && one <= '9' : one == of_form; });
}

std::size_t line_width(const std::vector<std::size_t>& widths) {
    return std::accumulate(widths.begin(), widths.end(),
                           gap.size() * (widths.size() - std::min<std::size_t>(widths.size(), 1)));
}

/// Returns for each column the least width to which it can be wrapped.
/// @param wrap_texts true: headers and texts are wrapped; false: only headers
std::vector<std::size_t> least_widths(const Layout& layout, bool wrap_texts) {
    std::vector<std::size_t> widths(layout.widths.size(), 0);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        for (std::size_t line = 0; line < layout.lines.size(); ++line) {
            const std::string& text = layout.lines[line][i];
            const bool wraps = line == 0 || (wrap_texts && !layout.right[i] && !is_time(text));
            const std::string_view breaks = line == 0            ? header_breaks
                                            : layout.breaks_more ? more_text_breaks
                                                                 : text_breaks;
            std::size_t least = wraps ? narrowest_wrap(text, breaks) : display_width(text);
            if (line == 0) least = std::max(least, std::min(display_width(text), shortest_wrapped_header));
            widths[i] = std::max(widths[i], least);
        }
    }
    return widths;
}

/// Narrows the widest column that is above its least width, again and again, until a line fits into `columns`.
/// @return whether a line fits
bool narrow(std::vector<std::size_t>& widths, const std::vector<std::size_t>& least, std::size_t columns) {
    while (line_width(widths) > columns) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
        }
        if (widest == widths.size()) return false;
        --widths[widest];
    }
    return true;
}

/// Narrows columns until a line has at most `columns` columns of the terminal: first as far as wrapping the headers
/// allows, then as far as wrapping the texts allows. Leaves the layout unchanged if neither is enough.
/// @return whether a line fits
bool fit(Layout& layout, std::size_t columns) {
    std::vector<std::size_t> widths = layout.widths;
    if (!narrow(widths, least_widths(layout, false), columns) && !narrow(widths, least_widths(layout, true), columns)) {
        return false;
    }
    layout.widths = std::move(widths);
    return true;
}

/// Returns the layout of Format::table with lines of at most `width` columns, if that is possible. To make the line
/// fit, it leaves out columns with the visibility if_room, the rightmost first.
Layout lay_out_to_fit(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows,
                      std::size_t width) {
    std::vector<std::size_t> shown = columns_for_people(columns, rows);
    while (true) {
        Layout layout = lay_out(columns, rows, shown, Format::table);
        if (fit(layout, width)) return layout;
        const auto last = std::find_if(shown.rbegin(), shown.rend(), [&](std::size_t i) {
            const Visibility visibility = columns[i].visibility;
            return visibility == Visibility::if_room || visibility == Visibility::if_varied_and_room;
        });
        if (last == shown.rend()) {
            layout.breaks_more = true;
            fit(layout, width);
            return layout;
        }
        shown.erase(std::next(last).base());
    }
}

void print_table(std::ostream& out, const Layout& layout) {
    for (std::size_t number = 0; number < layout.lines.size(); ++number) {
        std::vector<std::vector<std::string>> cells;
        std::size_t height = 1;
        for (std::size_t i = 0; i < layout.widths.size(); ++i) {
            const std::string& text = layout.lines[number][i];
            const bool is_narrow = number > 0 && narrowest_wrap(text, text_breaks) > layout.widths[i];
            cells.push_back(wrap(text, layout.widths[i],
                                 number == 0 ? header_breaks
                                 : is_narrow ? more_text_breaks
                                             : text_breaks));
            height = std::max(height, cells.back().size());
        }
        for (std::size_t part = 0; part < height; ++part) {
            std::string text;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::string& cell = part < cells[i].size() ? cells[i][part] : std::string();
                text += padded(cell, layout.widths[i], layout.right[i]);
                text += gap;
            }
            text.erase(text.find_last_not_of(' ') + 1);
            out << (number == 0 && &out == &std::cout ? styled(text, Style::heading, STDOUT_FILENO) : text) << '\n';
        }
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
            std::visit(Overloaded{[](std::monostate) {}, [&](const Abbreviated& text) { member = text.full; },
                                  [&](const auto& value) { member = value; }},
                       row[i]);
        }
        array.push_back(std::move(object));
    }
    // A path or a driver's message may be invalid UTF-8, for which dump() would throw with its default error handler.
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
            out << std::exchange(separator, ",") << csv_field(full_precision(cell));
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
    print(out, format, table_columns(STDOUT_FILENO));
}

void Table::print(std::ostream& out, Format format, std::size_t columns) const {
    switch (format) {
        case Format::table:
            return print_table(out, lay_out_to_fit(columns_, rows_, columns));
        case Format::wide_table:
            return print_table(out, lay_out(columns_, rows_, all_columns(columns_), format));
        case Format::md:
            return print_markdown(out, lay_out(columns_, rows_, all_columns(columns_), format));
        case Format::json:
            return print_json(out, columns_, rows_);
        case Format::csv:
            return print_csv(out, columns_, rows_);
    }
}

}  // namespace redtune::cli
