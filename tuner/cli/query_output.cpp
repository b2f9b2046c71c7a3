#include "tuner/cli/query_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "redtune/size.h"

namespace redtune::cli {

namespace {

using Json = nlohmann::ordered_json;

Json parameters_of(const Match& match) {
    Json parameters = Json::object();
    for (const Parameter& parameter : match.parameters) {
        std::visit([&](const auto& value) { parameters[parameter.name] = value; }, parameter.value);
    }
    return parameters;
}

/// Returns the kinds of data on which the match was compared, each with the match's time over the best time; null if
/// they are unknown.
Json data_of(const Match& match) {
    Json data = Json::object();
    for (const DataRatio& each : match.data) data[each.data] = each.ratio ? Json(*each.ratio) : Json();
    return data;
}

/// Returns the answer as a JSON object. What is not known is null.
Json describe_match(const Problem& problem, Regime regime, std::uint64_t n, const Match& match,
                    const std::optional<db::MeasuredRegret>& regret) {
    const Launch& first = match.plan.steps[0];
    const bool is_tuned = match.kind != MatchKind::default_rule;
    const auto if_tuned = [&](const auto& value) { return is_tuned ? Json(value) : Json(); };
    return {{"device", match.device},
            {"op", problem.op},
            {"dtype", to_string(problem.input)},
            {"n", n},
            {"regime", to_string(regime)},
            {"family", match.family},
            {"parameters", parameters_of(match)},
            {"grid", first.grid},
            {"block", first.block},
            {"shared_bytes", first.shared_bytes},
            {"match", to_string(match.kind)},
            {"expected_us", match.expected_us > 0 ? Json(match.expected_us) : Json()},
            {"gb_per_s", match.gb_per_s > 0 ? Json(match.gb_per_s) : Json()},
            {"measured_at", if_tuned(match.measured_at)},
            {"determinism", to_string(problem.determinism)},
            {"deterministic", match.deterministic},
            {"tuned_n", if_tuned(match.tuned_n)},
            {"launches", match.plan.count},
            {"workspace_bytes", match.plan.workspace_bytes},
            {"shape", shape_name(problem)},
            {"tuned_row_length", if_tuned(match.row_length)},
            {"tuned_columns", if_tuned(match.columns)},
            {"accumulator", to_string(problem.accumulator)},
            {"output", to_string(problem.output)},
            {"regret", regret ? Json(regret->median) : Json()},
            {"largest_regret", regret ? Json(regret->largest) : Json()},
            {"regret_sizes", regret ? Json(regret->sizes) : Json()},
            {"units", if_tuned(match.units)},
            {"spread", match.spread > 0 ? Json(match.spread) : Json()},
            {"data", data_of(match)},
            {"tuned_device", if_tuned(match.tuned_device)},
            {"tuned_op", is_tuned ? Json(match.tuned_problem->op) : Json()},
            {"tuned_dtype", is_tuned ? Json(to_string(match.tuned_problem->input)) : Json()},
            {"tuned_regime", if_tuned(to_string(match.tuned_regime))},
            {"stale", names_of(match.stale)}};
}

/// Returns the texts of a list: "code, driver".
std::string join(const Json& list) {
    return fmt::format("{}", fmt::join(list.get<std::vector<std::string>>(), ", "));
}

/// Returns a value of describe_match() as text for a table: sizes like 16Mi, booleans as yes and no, numbers rounded.
std::string readable(const std::string& key, const Json& value) {
    if (value.is_null()) return "";
    if (key == "stale") return value.empty() ? "no" : join(value);
    if (key == "n" || key == "tuned_n") return format_size(value.get<std::uint64_t>());
    if (key == "data") {
        std::vector<std::string> list;
        for (const auto& [name, ratio] : value.items()) {
            list.push_back(ratio.is_null() ? name
                                           : fmt::format("{} ({:.3f} times the best)", name, ratio.get<double>()));
        }
        return fmt::format("{}", fmt::join(list, ", "));
    }
    if (key == "parameters") {
        std::vector<std::string> list;
        for (const auto& [name, held] : value.items()) list.push_back(name + "=" + readable(name, held));
        return fmt::format("{}", fmt::join(list, ", "));
    }
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    return value.dump();
}

Cell full_precision(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_float()) return value.get<double>();
    if (value.is_number()) return value.get<std::int64_t>();
    return value.is_array() ? join(value) : value.dump();
}

void print(const Json& description, Format format) {
    if (format == Format::json) {
        std::cout << description.dump(2) << '\n';
        return;
    }
    if (format == Format::csv) {
        std::vector<Column> columns;
        std::vector<Cell> row;
        for (const auto& [key, value] : description.items()) {
            columns.push_back({key});
            row.push_back(full_precision(value));
        }
        Table table(std::move(columns));
        table.add(std::move(row));
        table.print(std::cout, format);
        return;
    }
    Table table({{"property"}, {"value"}});
    for (const auto& [key, value] : description.items()) {
        if (!value.is_null()) table.add({key, readable(key, value)});
    }
    table.print(std::cout, format);
}

}  // namespace

void print_match(const Problem& problem, Regime regime, std::uint64_t n, const Match& match,
                 const std::optional<db::MeasuredRegret>& regret, Format format) {
    print(describe_match(problem, regime, n, match, regret), format);
}

std::vector<std::string> names_of(const Staleness& stale) {
    std::vector<std::string> names;
    if (stale.code) names.emplace_back("code");
    if (stale.driver) names.emplace_back("driver");
    if (stale.nvrtc) names.emplace_back("nvrtc");
    return names;
}

}  // namespace redtune::cli
