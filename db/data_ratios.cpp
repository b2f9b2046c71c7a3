#include "db/data_ratios.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "redtune/error.h"
#include "tuner/core/json_object.h"

namespace redtune::db {

std::string data_ratios_to_json(const std::vector<DataRatio>& ratios) {
    Json object = Json::object();
    for (const DataRatio& each : ratios) {
        const bool is_known = each.ratio && std::isfinite(*each.ratio);
        object[each.data] = is_known ? Json(std::stod(fmt::format("{:.5g}", *each.ratio))) : Json();
    }
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<DataRatio> data_ratios_from_json(std::string_view json) {
    const Json object = Json::parse(json, nullptr, false);
    if (!object.is_object()) throw InputError(fmt::format("data ratios are not a JSON object: {}", json));
    std::vector<DataRatio> ratios;
    for (const auto& [name, value] : object.items()) {
        if (!value.is_number() && !value.is_null()) {
            throw InputError(fmt::format("the ratio on {} is not a number: {}", name, value.dump()));
        }
        ratios.push_back({name, value.is_null() ? std::nullopt : std::optional(value.get<double>())});
    }
    return ratios;
}

}  // namespace redtune::db
