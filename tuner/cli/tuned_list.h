#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "redtune/catalog.h"

namespace redtune::cli {

/// Returns one line for each operator that is tuned for a device. The line lists the options of the tuned problems,
/// each with at most eight of its values: "--op max --dtype f32,i32 --determinism any --regime cold,warm (n = 256 to
/// 1Gi)". A line has fewer than 200 columns.
std::vector<std::string> list_tuned(const Catalog& catalog, std::string_view device);

}  // namespace redtune::cli
