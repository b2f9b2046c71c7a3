#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "db/store.h"

namespace redtune::db {

/// Returns the ratios as a JSON object for the column winner.data_ratios: {"uniform":1.0,"outlier":null}. Ratios are
/// rounded to 5 significant digits.
std::string data_ratios_to_json(const std::vector<DataRatio>& ratios);

/// Returns the ratios in a JSON object that data_ratios_to_json() wrote, in the object's order.
/// @throws InputError if the text is not such a JSON object
std::vector<DataRatio> data_ratios_from_json(std::string_view json);

}  // namespace redtune::db
