#include "tuner/cli/ladder_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>

namespace redtune::cli {

namespace {

std::vector<Column> time_columns() {
    constexpr Visibility never = Visibility::never;
    return {{"setup"},
            {"step"},
            {"family", 0, never},
            {"configuration"},
            {"kernel_us", 2},
            {"kernel_gb_per_s", 0, never},
            {"kernel_peak_percent", 1, never},
            {"kernel_speedup", 2},
            {"call_us", 2},
            {"call_gb_per_s", 0, never},
            {"call_peak_percent", 1, never},
            {"call_speedup", 2, never},
            {"published_on", 0, never},
            {"published_us", 2, never},
            {"published_speedup", 2}};
}

Cell number_cell(const std::optional<double>& value) {
    return value ? Cell(*value) : Cell();
}

Cell step_cell(const report::LadderRow& row) {
    return row.step == 0 ? Cell("redtune") : Cell(static_cast<std::int64_t>(row.step));
}

std::vector<Cell> time_cells(const report::LadderRow& row) {
    const auto text = [](const std::string& value) { return value.empty() ? Cell() : Cell(value); };
    return {row.setup,
            step_cell(row),
            text(row.family),
            text(row.configuration),
            number_cell(row.kernel.us),
            number_cell(row.kernel.gb_per_s),
            number_cell(row.kernel.peak_percent),
            number_cell(row.kernel.speedup),
            number_cell(row.call.us),
            number_cell(row.call.gb_per_s),
            number_cell(row.call.peak_percent),
            number_cell(row.call.speedup),
            text(row.published_on),
            number_cell(row.published_us),
            number_cell(row.published_speedup)};
}

void append_counter_columns(std::vector<Column>& columns) {
    for (const report::CounterColumn& column : report::counter_columns()) {
        columns.push_back({std::string(column.name), column.decimals});
    }
    columns.push_back({"published_memory_percent", 1});
}

void append_counter_cells(const report::LadderRow& row, std::vector<Cell>& cells) {
    const report::Counters counters = row.counters.value_or(report::Counters{});
    for (const report::CounterColumn& column : report::counter_columns()) {
        cells.push_back(number_cell(counters.*column.member));
    }
    cells.push_back(number_cell(row.published_memory_percent));
}

/// Prints a table of the counters alone, with a line for each counter and a column for each row of a ladder, because a
/// line with all counters would not fit a terminal.
void print_counters(const std::string& setup, const std::vector<report::LadderRow>& rows) {
    std::vector<Column> columns = {{"counter"}};
    for (const report::LadderRow& row : rows) {
        columns.push_back({row.step == 0 ? "redtune" : fmt::to_string(row.step), 1});
    }
    Table table(std::move(columns));
    for (const report::CounterColumn& column : report::counter_columns()) {
        std::vector<Cell> cells = {std::string(column.label)};
        for (const report::LadderRow& row : rows) {
            cells.push_back(row.counters ? number_cell((*row.counters).*column.member) : Cell());
        }
        table.add(std::move(cells));
    }
    std::vector<Cell> published = {"  published, %"};
    for (const report::LadderRow& row : rows) published.push_back(number_cell(row.published_memory_percent));
    if (rows.front().published_memory_percent) table.add(std::move(published));
    std::cout << '\n' << setup << ", counters of the first kernel by step:\n";
    table.print(std::cout, Format::table);
}

}  // namespace

void print_ladders(const std::vector<report::LadderRow>& rows, bool has_counters, Format format) {
    const bool is_for_people = format == Format::table;
    std::vector<Column> columns = time_columns();
    if (has_counters && !is_for_people) append_counter_columns(columns);
    Table table(std::move(columns));
    for (const report::LadderRow& row : rows) {
        std::vector<Cell> cells = time_cells(row);
        if (has_counters && !is_for_people) append_counter_cells(row, cells);
        table.add(std::move(cells));
    }
    table.print(std::cout, format);
    if (!has_counters || !is_for_people) return;
    for (auto first = rows.begin(); first != rows.end();) {
        const auto last = std::find_if(first, rows.end(), [&](const auto& row) { return row.setup != first->setup; });
        const bool has_any = std::any_of(first, last, [](const auto& row) { return row.counters.has_value(); });
        if (has_any) print_counters(first->setup, {first, last});
        first = last;
    }
}

}  // namespace redtune::cli
