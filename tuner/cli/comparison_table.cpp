#include "tuner/cli/comparison_table.h"

#include <optional>
#include <string>

#include "redtune/size.h"

namespace redtune::cli {

namespace {

using report::ComparisonGroup;
using report::ComparisonRow;

constexpr Visibility if_varied = Visibility::if_varied;
constexpr Visibility if_room = Visibility::if_room;
constexpr Visibility never = Visibility::never;

/// Returns the columns of a row. Format::table leaves out the columns that state the conditions.
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
                                                {"limit_grid_shape", 0, never},
                                                {"data", 0, never},
                                                {"of_uniform", 3, never},
                                                {"device", 0, never}};
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
                               optional_cell(row.ratio_to_limit()),
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

}  // namespace

Table table_of(const std::vector<ComparisonRow>& rows, const ComparisonContext& context, Format format) {
    Table table(cell_columns());
    for (const ComparisonRow& row : rows) {
        std::vector<Cell> cells = cells_of(row, context, format);
        cells.emplace_back(row.cell.data);
        cells.push_back(optional_cell(report::ratio_to_uniform(rows, row)));
        cells.emplace_back(context.device);
        table.add(std::move(cells));
    }
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
                 {"of_limit", 3},
                 {"data", 0, never}});
    for (const ComparisonGroup& group : groups) {
        table.add({std::string(report::to_string(group.streams)), report::alignment_name(group.offset),
                   std::string(to_string(group.determinism)), group.cub_determinism, group.by, group.name,
                   static_cast<std::int64_t>(group.cells), group.ratio, group.worst,
                   static_cast<std::int64_t>(group.slower), optional_cell(group.ratio_to_limit), group.data});
    }
    return table;
}

}  // namespace redtune::cli
