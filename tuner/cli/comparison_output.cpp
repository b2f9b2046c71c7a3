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

Table cells_of(const std::vector<ComparisonRow>& rows, const ComparisonContext& context) {
    Table table({{"op"},
                 {"dtype"},
                 {"bytes"},
                 {"n"},
                 {"regime"},
                 {"alignment"},
                 {"redtune_us", 3},
                 {"cub_us", 3},
                 {"ratio", 3},
                 {"ratio_low", 3},
                 {"ratio_high", 3},
                 {"verdict"},
                 {"gb_per_s", 0},
                 {"peak_percent", 1},
                 {"configuration"},
                 {"determinism"},
                 {"cub_determinism"},
                 {"streams"},
                 {"cub_version"}});
    for (const ComparisonRow& row : rows) {
        const double gb_per_s = static_cast<double>(row.bytes) / row.redtune_us * 1e-3;
        // A warm input is read from L2, so its bandwidth is not a share of the memory's peak.
        const bool has_peak = row.regime != Regime::warm && context.peak_gb_per_s > 0;
        table.add({row.op, row.dtype, static_cast<std::int64_t>(row.bytes), static_cast<std::int64_t>(row.n),
                   std::string(to_string(row.regime)), report::alignment_name(row.offset), row.redtune_us, row.cub_us,
                   row.ratio(), row.ratio_low, row.ratio_high, report::verdict(row), gb_per_s,
                   has_peak ? Cell(100 * gb_per_s / context.peak_gb_per_s) : Cell(), row.configuration,
                   std::string(to_string(row.determinism)), row.cub_determinism,
                   std::string(report::to_string(row.streams)), std::int64_t{context.cub_version}});
    }
    return table;
}

Table groups_of(const std::vector<ComparisonRow>& rows) {
    Table table({{"streams"},
                 {"alignment"},
                 {"determinism"},
                 {"cub_determinism"},
                 {"by"},
                 {"group"},
                 {"cells"},
                 {"ratio", 3},
                 {"worst", 3},
                 {"slower"}});
    for (const ComparisonGroup& group : report::summarize(rows)) {
        table.add({std::string(report::to_string(group.streams)), report::alignment_name(group.offset),
                   std::string(to_string(group.determinism)), group.cub_determinism, group.by, group.name,
                   static_cast<std::int64_t>(group.cells), group.ratio, group.worst,
                   static_cast<std::int64_t>(group.slower)});
    }
    return table;
}

/// Returns the name of a cell: "sum f32 16KiB cold aligned, any against default, streams: one".
std::string cell_name(const ComparisonRow& row) {
    return fmt::format("{} {} {}B {} {}, {} against {}, streams: {}", row.op, row.dtype, format_size(row.bytes),
                       to_string(row.regime), report::alignment_name(row.offset), to_string(row.determinism),
                       row.cub_determinism, report::to_string(row.streams));
}

std::vector<const ComparisonRow*> slower_cells(const std::vector<ComparisonRow>& rows) {
    std::vector<const ComparisonRow*> slower;
    for (const ComparisonRow& row : rows) {
        if (report::verdict(row) == "slower") slower.push_back(&row);
    }
    return slower;
}

void print_summary(const std::vector<ComparisonRow>& rows, const ComparisonContext& context, Format format,
                   std::ostream& out) {
    const char* bullet = format == Format::md ? "- " : "";
    groups_of(rows).print(out, format);
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
        out << fmt::format("{}slower: {} ({:.3f})\n", bullet, cell_name(*row), row->ratio());
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
        slower.push_back({{"cell", cell_name(*row)}, {"ratio", row->ratio()}});
    }
    nlohmann::ordered_json cost;
    if (const auto known = report::determinism_cost(rows)) {
        cost = {{"cells", known->cells}, {"run_to_run_over_any", known->ratio}};
    }
    auto floors = nlohmann::ordered_json::object();
    for (const auto& [streams, floor_us] : context.floors_us) {
        floors[std::string(report::to_string(streams))] = floor_us;
    }
    const nlohmann::ordered_json all = {{"cells", as_json(cells_of(rows, context))},
                                        {"summary",
                                         {{"groups", as_json(groups_of(rows))},
                                          {"floors_us", floors},
                                          {"determinism_cost", cost},
                                          {"slower", slower}}}};
    out << all.dump(2) << '\n';
}

}  // namespace

void print_comparison(const std::vector<ComparisonRow>& rows, const ComparisonContext& context, Format format,
                      std::ostream& out, std::ostream& err) {
    if (format == Format::json) return print_json(rows, context, out);
    cells_of(rows, context).print(out, format);
    if (format == Format::csv) return print_summary(rows, context, Format::table, err);
    out << '\n';
    print_summary(rows, context, format, out);
}

}  // namespace redtune::cli
