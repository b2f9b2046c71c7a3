#include "tuner/cli/comparison_output.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "tuner/cli/comparison_table.h"

namespace redtune::cli {

namespace {

using report::ComparisonGroup;
using report::ComparisonRow;

std::string condition_name(std::uint64_t offset, Determinism determinism, const std::string& cub_determinism,
                           report::Streams streams, const std::string& data) {
    return fmt::format("{}, {} against {}, streams: {}{}", report::alignment_name(offset), to_string(determinism),
                       cub_determinism, report::to_string(streams), data == "uniform" ? "" : ", data: " + data);
}

/// Returns the conditions that all rows of one human-readable table share: "cold, aligned, any against default,
/// streams: one".
std::string condition_name(const ComparisonRow& row) {
    return fmt::format(
        "{}, {}", to_string(row.cell.regime),
        condition_name(row.cell.offset, row.determinism, row.cub_determinism, row.cell.streams, row.cell.data));
}

std::string condition_name(const ComparisonGroup& group) {
    return condition_name(group.offset, group.determinism, group.cub_determinism, group.streams, group.data);
}

/// Prints one human-readable table for each condition, under a line that states the condition. One table with columns
/// for the conditions would be wider than 100 characters. `make_table` makes a table from items.
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

/// A time that is below the limit by at most this fraction does not contradict it: both are medians of noisy samples.
constexpr double limit_noise = 0.02;

/// Returns the rows that contradict the limit, that is, in which redtune's time is below the limit by more than
/// limit_noise.
std::vector<const ComparisonRow*> below_limit(const std::vector<ComparisonRow>& rows) {
    std::vector<const ComparisonRow*> below;
    for (const ComparisonRow& row : rows) {
        if (row.limit && *row.ratio_to_limit() < 1 - limit_noise) below.push_back(&row);
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
                           *row->ratio_to_limit());
    }
    if (!context.not_tuned.empty()) {
        out << fmt::format("{}{} cells are not tuned, so they are not compared\n", bullet, context.not_tuned.size());
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
                                          {"slower", slower},
                                          {"not_tuned", context.not_tuned}}}};
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
