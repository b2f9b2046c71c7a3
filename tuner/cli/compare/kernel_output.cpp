#include "tuner/cli/compare/kernel_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "tuner/report/comparison.h"

namespace redtune::cli {

namespace {

Table cells_of(const std::vector<report::KernelComparisonRow>& rows) {
    Table table({{"op"},
                 {"dtype"},
                 {"bytes"},
                 {"n"},
                 {"regime"},
                 {"alignment"},
                 {"data"},
                 {"configuration"},
                 {"new_us", 3},
                 {"old_us", 3},
                 {"ratio", 4},
                 {"ratio_low", 4},
                 {"ratio_high", 4}});
    for (const report::KernelComparisonRow& row : rows) {
        table.add({row.op, row.dtype, static_cast<std::int64_t>(row.bytes), static_cast<std::int64_t>(row.n),
                   std::string(to_string(row.regime)), report::alignment_name(row.offset), row.data, row.configuration,
                   row.new_us, row.old_us, row.ratio(), row.ratio_low, row.ratio_high});
    }
    return table;
}

void print_summary(const report::KernelComparisonSummary& summary, std::ostream& out) {
    out << fmt::format(
        "cells: {}\ngeometric mean of new over old: {:.4f}\nlargest ratio: {:.4f}\n"
        "cells slower by more than 2 %: {}\ncells slower by more than 1 %: {}\n",
        summary.cells, summary.ratio, summary.worst, summary.above_2, summary.above_1);
}

}  // namespace

void print_kernel_comparison(const std::vector<report::KernelComparisonRow>& rows, Format format, std::ostream& out,
                             std::ostream& err) {
    const report::KernelComparisonSummary summary = report::summarize(rows);
    if (format == Format::json) {
        std::ostringstream cells;
        cells_of(rows).print(cells, Format::json);
        const nlohmann::ordered_json all = {{"cells", nlohmann::ordered_json::parse(cells.str())},
                                            {"summary",
                                             {{"cells", summary.cells},
                                              {"ratio", summary.ratio},
                                              {"largest_ratio", summary.worst},
                                              {"slower_by_2_percent", summary.above_2},
                                              {"slower_by_1_percent", summary.above_1}}}};
        out << all.dump(2) << '\n';
        return;
    }
    cells_of(rows).print(out, format);
    if (format == Format::csv) return print_summary(summary, err);
    out << '\n';
    print_summary(summary, out);
}

}  // namespace redtune::cli
