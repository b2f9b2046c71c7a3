#include <algorithm>
#include <set>

#include "db/merged_winners.h"
#include "db/shape.h"
#include "tuner/report/column_table.h"
#include "tuner/report/page_tables.h"

namespace redtune::report {

namespace {

/// A row of list_merged_winners() whose fields are read by the names of their columns.
class WinnerRow {
  public:
    WinnerRow(const db::Listing& listing, const std::vector<db::Field>& row) : listing_(listing), row_(row) {}

    std::string text(std::string_view column) const { return std::get<std::string>(field(column)); }
    std::uint64_t whole(std::string_view column) const {
        return static_cast<std::uint64_t>(std::get<std::int64_t>(field(column)));
    }
    /// Returns the field as JSON; numbers with a fraction are rounded.
    Json json(std::string_view column) const {
        const db::Field& value = field(column);
        if (const auto* words = std::get_if<std::string>(&value)) return *words;
        if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
        if (const auto* number = std::get_if<double>(&value)) return rounded(*number);
        return {};
    }

  private:
    const db::Field& field(std::string_view column) const { return row_.at(listing_.column(column)); }

    const db::Listing& listing_;
    const std::vector<db::Field>& row_;
};

Problem problem_of(const WinnerRow& row) {
    Problem problem;
    problem.op = row.text("op");
    problem.input = parse_type(row.text("dtype"));
    problem.accumulator = parse_type(row.text("accumulator_type"));
    problem.output = parse_type(row.text("output_type"));
    db::read_shape(row.text("shape"), problem);
    const std::uint64_t bytes_of_one = std::max<std::uint64_t>(row.whole("n"), 1) * size_of(problem.input);
    problem.arrays = static_cast<std::uint32_t>(std::max<std::uint64_t>(row.whole("bytes") / bytes_of_one, 1));
    return problem;
}

/// The winners of one file that another file's winners hide, or those that look-ups find.
struct WinnerList {
    db::Listing listing;
    bool is_hidden = false;
};

/// Returns the winners that look-ups find, and of each file those that are hidden. The column `layer` has the index of
/// the winner's file.
std::vector<WinnerList> list_winners_of_files(const PageRequest& request) {
    db::WinnerFilter of_device;
    if (request.filter.devices.size() == 1) of_device.device = request.filter.devices.front();
    std::vector<std::string> numbers;
    for (std::size_t i = 0; i < request.layers.size(); ++i) numbers.push_back(std::to_string(i));
    std::vector<db::Layer> layers = request.layers;
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i].name = numbers[i];
    std::vector<WinnerList> lists = {{db::list_merged_winners(layers, of_device), false}};
    if (layers.size() == 1) return lists;
    // Ids are unique within a file. A measurement that won under both kinds of determinism may be hidden under one of
    // them.
    const auto identity = [](const WinnerRow& row) {
        return std::tuple(row.text("layer"), row.whole("measurement_id"), row.text("determinism"));
    };
    std::set<std::tuple<std::string, std::uint64_t, std::string>> found;
    for (const auto& fields : lists[0].listing.rows) found.insert(identity(WinnerRow(lists[0].listing, fields)));
    for (const db::Layer& layer : layers) {
        db::Listing listing = db::list_merged_winners({layer}, of_device);
        std::erase_if(listing.rows,
                      [&](const auto& fields) { return found.contains(identity(WinnerRow(listing, fields))); });
        lists.push_back({std::move(listing), true});
    }
    return lists;
}

}  // namespace

Json winners_table(const PageRequest& request, PageIndex& index) {
    // The columns that are shown as they are in the view `winners`.
    const std::vector<std::string> shown = {
        "regime", "n",      "determinism", "time_us",         "floor_us",      "interquartile_us",
        "grid",   "block",  "decided_by",  "runner_up_ratio", "units",         "spread",
        "effort", "source", "data",        "measured_at",     "measurement_id"};
    std::vector<std::string> names = {"device", "problem", "configuration", "file", "hidden"};
    names.insert(names.end(), shown.begin(), shown.end());
    ColumnTable table(std::move(names));
    for (const WinnerList& list : list_winners_of_files(request)) {
        for (const std::vector<db::Field>& fields : list.listing.rows) {
            const WinnerRow row(list.listing, fields);
            const Problem problem = problem_of(row);
            const bool is_selected = request.filter.selects(row.text("device"), problem) &&
                                     request.filter.selects(parse_regime(row.text("regime")), row.whole("n"));
            if (!is_selected) continue;
            const Configuration configuration{row.text("family"), parameters_from_json(row.text("parameters"))};
            std::vector<Json> cells = {index.devices.index_of_name(row.text("device")),
                                       index.problems.index_of(problem), index.configurations.index_of(configuration),
                                       std::stoul(row.text("layer")), list.is_hidden ? 1 : 0};
            for (const std::string& column : shown) cells.push_back(row.json(column));
            table.add(std::move(cells));
        }
    }
    return table.json();
}

}  // namespace redtune::report
