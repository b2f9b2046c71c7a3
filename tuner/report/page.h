#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tuner/core/json_object.h"
#include "tuner/report/page_request.h"

namespace redtune::report {

/// The name of the file of the data folder that holds Vega, Vega-Lite and vega-embed in one script.
inline constexpr std::string_view chart_library_name = "vega.js";

/// Returns the path of the script that draws the charts.
/// @param folders the data folders, which are searched in this order
/// @throws Error if none has it; the message says how to get it
std::filesystem::path find_chart_library(const std::vector<std::filesystem::path>& folders);

/// Returns everything that a page shows.
/// @param command the command line that the page names as its origin
Json page_data(const PageRequest& request, std::string_view command);

/// Returns whether the data have neither a winner nor a sweep.
bool is_empty_page(const Json& data);

/// Returns an HTML page that needs no other file and no network.
/// @param data what page_data() returned
/// @param chart_library the text of the script that draws the charts
std::string html_page(const Json& data, std::string_view chart_library);

}  // namespace redtune::report
