#include "tuner/report/column_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace redtune::report {

namespace {

/// Returns a column with texts as the list of its distinct texts and an index for each row.
Json dictionary(const std::vector<Json>& column) {
    std::map<std::string, std::size_t> known;
    Json words = Json::array();
    Json indices = Json::array();
    for (const Json& value : column) {
        if (!value.is_string()) {
            indices.push_back(-1);
            continue;
        }
        const auto [found, is_new] = known.emplace(value.get<std::string>(), words.size());
        if (is_new) words.push_back(value);
        indices.push_back(found->second);
    }
    return {{"words", std::move(words)}, {"of", std::move(indices)}};
}

Json encode(const std::vector<Json>& column) {
    const bool all_equal =
        std::all_of(column.begin(), column.end(), [&](const Json& value) { return value == column.front(); });
    if (!column.empty() && all_equal) return {{"all", column.front()}};
    const bool has_text =
        std::any_of(column.begin(), column.end(), [](const Json& value) { return value.is_string(); });
    return has_text ? dictionary(column) : Json(column);
}

}  // namespace

void ColumnTable::add(std::vector<Json> row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].push_back(std::move(row.at(i)));
    ++rows_;
}

Json ColumnTable::json() const {
    Json columns = Json::object();
    for (std::size_t i = 0; i < names_.size(); ++i) columns[names_[i]] = encode(columns_[i]);
    return {{"rows", rows_}, {"columns", std::move(columns)}};
}

double rounded(double number) {
    return std::strtod(fmt::format("{:.5g}", number).c_str(), nullptr);
}

}  // namespace redtune::report
