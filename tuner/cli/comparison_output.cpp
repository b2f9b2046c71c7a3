#include "tuner/cli/comparison_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "tuner/core/size_list.h"

namespace redtune::cli {

namespace {

using report::ComparisonGroup;
using report::ComparisonRow;

constexpr Visibility if_varied = Visibility::if_varied;
constexpr Visibility if_room = Visibility::if_room;
constexpr Visibility never = Visibility::never;

/// Returns the columns of a row. A table for people leaves out those that condition_name() states.
const std::vector<Column>& cell_columns() {
    static const std::vector<Column> columns = {{"op"},
                                                {"dtype"},
                                                {"shape", 0, if_varied},
                                                {"rows", 0, never},
                                                {"bytes", 0, never},
                                                {"n"},
                                                {"regime", 0, never},
                                                {"alignment", 0, never},
                                                {"redtune_us", 3},
                                                {"cub_us", 3},
                                                {"ratio", 3},
                                                {"ratio_low", 3, never},
                                                {"ratio_high", 3, never},
                                                {"verdict"},
                                                {"limit_us", 3, if_room},
                                                {"of_limit", 3},
                                                {"gb_per_s", 0, if_room},
                                                {"peak_percent", 1, if_room},
                                                {"configuration", 0, never},
                                                {"match", 0, if_varied},
                                                {"tuned_n", 0, never},
                                                {"determinism", 0, never},
                                                {"cub_determinism", 0, never},
                                                {"streams", 0, never},
                                                {"cub_version", 0, never},
                                                {"limit_empty_us", 3, never},
                                                {"limit_load_us", 3, never},
                                                {"limit_handover_us", 3, never},
                                                {"limit_one_block_us", 3, never},
                                                {"limit_one_block_shape", 0, never},
                                                {"limit_grid_us", 3, never},
                                                {"limit_grid_shape", 0, never}};
    return columns;
}

Cell optional_cell(const std::optional<double>& number) {
    return number ? Cell(*number) : Cell();
}

/// Appends the parts of the limit; a part that was not measured is an empty cell.
void append_limit_parts(const std::optional<report::Limit>& limit, std::vector<Cell>& cells) {
    if (!limit) return cells.resize(cells.size() + 7);
    cells.insert(cells.end(), {limit->empty_us, limit->load_us});
    cells.push_back(limit->needs_handover ? Cell(limit->handover_us) : Cell());
    for (const std::optional<report::Reader>& reader : {limit->one_block, limit->grid}) {
        cells.push_back(reader ? Cell(reader->us) : Cell());
        cells.push_back(reader ? Cell(reader->shape) : Cell());
    }
}

std::vector<Cell> cells_of(const ComparisonRow& row, const ComparisonContext& context, Format format) {
    const report::ComparedCell& cell = row.cell;
    const double gb_per_s = static_cast<double>(cell.bytes) / row.redtune_us * 1e-3;
    // A warm input is read from L2, so its bandwidth is not a share of the memory's peak.
    const bool has_peak = cell.regime != Regime::warm && context.peak_gb_per_s > 0;
    std::vector<Cell> cells = {cell.op,
                               cell.dtype,
                               cell.shape,
                               static_cast<std::int64_t>(cell.rows),
                               static_cast<std::int64_t>(cell.bytes),
                               format == Format::table ? Cell(format_size(cell.n)) : static_cast<std::int64_t>(cell.n),
                               std::string(to_string(cell.regime)),
                               report::alignment_name(cell.offset),
                               row.redtune_us,
                               row.cub_us,
                               row.ratio(),
                               row.ratio_low,
                               row.ratio_high,
                               report::verdict(row),
                               row.limit ? Cell(row.limit->us()) : Cell(),
                               optional_cell(row.of_limit()),
                               gb_per_s,
                               has_peak ? Cell(100 * gb_per_s / context.peak_gb_per_s) : Cell(),
                               row.configuration,
                               std::string(to_string(row.match)),
                               static_cast<std::int64_t>(row.tuned_n),
                               std::string(to_string(row.determinism)),
                               row.cub_determinism,
                               std::string(report::to_string(cell.streams)),
                               std::int64_t{context.cub_version}};
    append_limit_parts(row.limit, cells);
    return cells;
}

Table table_of(const std::vector<ComparisonRow>& rows, const ComparisonContext& context, Format format) {
    Table table(cell_columns());
    for (const ComparisonRow& row : rows) table.add(cells_of(row, context, format));
    return table;
}

Table table_of(const std::vector<ComparisonGroup>& groups) {
    Table table({{"streams", 0, never},
                 {"alignment", 0, never},
                 {"determinism", 0, never},
                 {"cub_determinism", 0, never},
                 {"by"},
                 {"group"},
                 {"cells"},
                 {"ratio", 3},
                 {"worst", 3},
                 {"slower"},
                 {"of_limit", 3}});
    for (const ComparisonGroup& group : groups) {
        table.add({std::string(report::to_string(group.streams)), report::alignment_name(group.offset),
                   std::string(to_string(group.determinism)), group.cub_determinism, group.by, group.name,
                   static_cast<std::int64_t>(group.cells), group.ratio, group.worst,
                   static_cast<std::int64_t>(group.slower), optional_cell(group.of_limit)});
    }
    return table;
}

std::string condition_name(std::uint64_t offset, Determinism determinism, const std::string& cub_determinism,
                           report::Streams streams) {
    return fmt::format("{}, {} against {}, streams: {}", report::alignment_name(offset), to_string(determinism),
                       cub_determinism, report::to_string(streams));
}

/// Returns the conditions that the rows of one table for people have in common: "cold, aligned, any against default,
/// streams: one".
std::string condition_name(const ComparisonRow& row) {
    return fmt::format("{}, {}", to_string(row.cell.regime),
                       condition_name(row.cell.offset, row.determinism, row.cub_determinism, row.cell.streams));
}

std::string condition_name(const ComparisonGroup& group) {
    return condition_name(group.offset, group.determinism, group.cub_determinism, group.streams);
}

/// Prints a table for people for each condition, under a line that states it, because one table with columns for the
/// conditions would be wider than 100 columns. `make_table` makes a table of items.
template <class Item, class MakeTable>
void print_by_condition(const std::vector<Item>& items, const MakeTable& make_table, std::ostream& out) {
    std::vector<std::string> names;
    std::map<std::string, std::vector<Item>> by_name;
    for (const Item& item : items) {
        const std::string name = condition_name(item);
        if (!by_name.contains(name)) names.push_back(name);
        by_name[name].push_back(item);
    }
    for (const std::string& name : names) {
        if (name != names.front()) out << '\n';
        out << name << ":\n";
        make_table(by_name[name]).print(out, Format::table);
    }
}

/// Returns the name of a row: "sum f32 16KiB cold aligned, any against default, streams: one".
std::string row_name(const ComparisonRow& row) {
    return fmt::format("{}, {} against {}, streams: {}", report::name_of(row.cell), to_string(row.determinism),
                       row.cub_determinism, report::to_string(row.cell.streams));
}

std::vector<const ComparisonRow*> slower_cells(const std::vector<ComparisonRow>& rows) {
    std::vector<const ComparisonRow*> slower;
    for (const ComparisonRow& row : rows) {
        if (report::verdict(row) == "slower") slower.push_back(&row);
    }
    return slower;
}

/// A time may be below the limit by this fraction, which is noise: both are medians of samples.
constexpr double limit_noise = 0.02;

/// Returns the rows that contradict the limit: redtune's time is below it.
std::vector<const ComparisonRow*> below_limit(const std::vector<ComparisonRow>& rows) {
    std::vector<const ComparisonRow*> below;
    for (const ComparisonRow& row : rows) {
        if (row.limit && *row.of_limit() < 1 - limit_noise) below.push_back(&row);
    }
    return below;
}

void print_summary(const std::vector<ComparisonRow>& rows, const ComparisonContext& context, Format format,
                   std::ostream& out) {
    const char* bullet = format == Format::md ? "- " : "";
    const std::vector<ComparisonGroup> groups = report::summarize(rows);
    if (format == Format::table) {
        print_by_condition(
            groups, [](const auto& some) { return table_of(some); }, out);
    } else {
        table_of(groups).print(out, format);
    }
    out << '\n';
    for (const auto& [streams, floor_us] : context.floors_us) {
        out << fmt::format("{}with kernels launched from {}, an empty kernel takes {:.3f} us\n", bullet,
                           streams == report::Streams::one ? "one stream" : "several streams", floor_us);
    }
    if (const auto cost = report::determinism_cost(rows)) {
        out << fmt::format("{}run_to_run takes {:.3f} times the time of any, geometric mean of {} cells\n", bullet,
                           cost->ratio, cost->cells);
    }
    for (const ComparisonRow* row : slower_cells(rows)) {
        out << fmt::format("{}slower: {} ({:.3f})\n", bullet, row_name(*row), row->ratio());
    }
    for (const ComparisonRow* row : below_limit(rows)) {
        out << fmt::format("{}below the limit, so the limit is wrong: {} ({:.3f})\n", bullet, row_name(*row),
                           *row->of_limit());
    }
    if (slower_cells(rows).empty()) out << fmt::format("{}no cell is slower\n", bullet);
}

nlohmann::ordered_json as_json(const Table& table) {
    std::ostringstream text;
    table.print(text, Format::json);
    return nlohmann::ordered_json::parse(text.str());
}

void print_json(const std::vector<ComparisonRow>& rows, const ComparisonContext& context, std::ostream& out) {
    auto slower = nlohmann::ordered_json::array();
    for (const ComparisonRow* row : slower_cells(rows)) {
        slower.push_back({{"cell", row_name(*row)}, {"ratio", row->ratio()}});
    }
    nlohmann::ordered_json cost;
    if (const auto known = report::determinism_cost(rows)) {
        cost = {{"cells", known->cells}, {"run_to_run_over_any", known->ratio}};
    }
    auto floors = nlohmann::ordered_json::object();
    for (const auto& [streams, floor_us] : context.floors_us) {
        floors[std::string(report::to_string(streams))] = floor_us;
    }
    const nlohmann::ordered_json all = {{"cells", as_json(table_of(rows, context, Format::json))},
                                        {"summary",
                                         {{"groups", as_json(table_of(report::summarize(rows)))},
                                          {"floors_us", floors},
                                          {"determinism_cost", cost},
                                          {"slower", slower}}}};
    out << all.dump(2) << '\n';
}

}  // namespace

void print_comparison(const std::vector<ComparisonRow>& rows, const ComparisonContext& context, Format format,
                      std::ostream& out, std::ostream& err) {
    if (format == Format::json) return print_json(rows, context, out);
    if (format == Format::table) {
        print_by_condition(
            rows, [&](const auto& some) { return table_of(some, context, format); }, out);
    } else {
        table_of(rows, context, format).print(out, format);
    }
    if (format == Format::csv) return print_summary(rows, context, Format::table, err);
    out << '\n';
    print_summary(rows, context, format, out);
}

}  // namespace redtune::cli
