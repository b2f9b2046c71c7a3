#include "tuner/report/bench_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "redtune/error.h"
#include "tuner/report/csv_fields.h"

namespace redtune::report {

namespace {

using Fields = std::vector<std::string>;

/// A line of the table, whose fields are read by the names of their columns.
class BenchLine {
  public:
    BenchLine(const Fields& names, Fields fields, std::size_t number)
        : names_(names), fields_(std::move(fields)), number_(number) {
        if (fields_.size() != names_.size()) fail(fmt::format("{} fields, not {}", fields_.size(), names_.size()));
    }

    /// Returns the field of a column, or `otherwise` if the table has no such column.
    std::string text(std::string_view name, std::string_view otherwise) const {
        const auto found = std::ranges::find(names_, name);
        return found == names_.end() ? std::string(otherwise)
                                     : fields_[static_cast<std::size_t>(found - names_.begin())];
    }
    template <class Number>
    Number number(std::string_view name) const {
        const std::string field = text(name, "");
        Number value = 0;
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
        const bool is_whole = error == std::errc() && end == field.data() + field.size();
        if (!is_whole || value <= 0) fail(fmt::format("{} is '{}'; allowed is a positive number", name, field));
        return value;
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw InputError(fmt::format("line {} of the comparison has {}; give what `redtune bench --format csv` printed",
                                     number_, why));
    }

    const Fields& names_;
    Fields fields_;
    std::size_t number_;
};

BenchTime read_bench_line(const BenchLine& line) {
    BenchTime time;
    time.problem = make_problem(line.text("op", ""), parse_type(line.text("dtype", "")));
    time.problem = with_shape(time.problem, parse_shape(line.text("shape", "whole")));
    time.n = line.number<std::uint64_t>("n");
    time.regime = parse_regime(line.text("regime", ""));
    time.device = line.text("device", "");
    time.cub_us = line.number<double>("cub_us");
    if (!line.text("redtune_us", "").empty()) time.redtune_us = line.number<double>("redtune_us");
    if (!line.text("limit_us", "").empty()) time.limit_us = line.number<double>("limit_us");
    return time;
}

bool is_plain(const BenchLine& line) {
    return line.text("alignment", "aligned") == "aligned" && line.text("streams", "one") == "one" &&
           line.text("data", "uniform") == "uniform" && line.text("determinism", "any") == "any" &&
           line.text("cub_determinism", "default") == "default";
}

}  // namespace

std::vector<BenchTime> parse_bench_csv(std::string_view text) {
    Fields names;
    std::vector<BenchTime> times;
    for (std::size_t number = 1; !text.empty(); ++number) {
        Fields fields = csv_fields(take_line(text));
        if (names.empty()) {
            names = std::move(fields);
            continue;
        }
        const BenchLine line(names, std::move(fields), number);
        if (is_plain(line)) times.push_back(read_bench_line(line));
    }
    return times;
}

}  // namespace redtune::report
