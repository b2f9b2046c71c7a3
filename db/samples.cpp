#include "db/samples.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "redtune/error.h"

namespace redtune::db {

std::string samples_to_json(std::span<const double> samples_us) {
    std::string json = "[";
    for (const double sample : samples_us) {
        if (json.size() > 1) json += ',';
        if (std::isfinite(sample)) {
            fmt::format_to(std::back_inserter(json), "{:.5g}", sample);
        } else {
            json += "null";
        }
    }
    return json + "]";
}

std::vector<double> samples_from_json(std::string_view json) {
    const auto array = nlohmann::json::parse(json, nullptr, false);
    std::vector<double> samples;
    if (!array.is_array()) throw DatabaseError(fmt::format("samples are not a JSON array: {}", json));
    for (const auto& sample : array) {
        if (!sample.is_number() && !sample.is_null()) {
            throw DatabaseError(fmt::format("a sample is not a number: {}", json));
        }
        samples.push_back(sample.is_null() ? std::numeric_limits<double>::quiet_NaN() : sample.get<double>());
    }
    return samples;
}

}  // namespace redtune::db
