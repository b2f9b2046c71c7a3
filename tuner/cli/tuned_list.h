#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "redtune/catalog.h"

namespace redtune::cli {

/// Returns what is tuned for a device, one line for each operator, as options with all values that occur:
/// "--op max --dtype f32,i32 --determinism any --regime cold,warm (n = 256 to 1Gi)". A line has less than 200 columns.
std::vector<std::string> list_tuned(const Catalog& catalog, std::string_view device);

}  // namespace redtune::cli
