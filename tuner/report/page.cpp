#include "tuner/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "redtune/error.h"
#include "redtune/version.h"
#include "tuner/core/clock.h"
#include "tuner/core/embedded_files.h"
#include "tuner/report/column_table.h"
#include "tuner/report/compact_json.h"
#include "tuner/report/page_tables.h"

namespace redtune::report {

namespace {

/// The scripts of the page, in the order in which they run. All of them share one scope.
constexpr std::array<std::string_view, 10> scripts = {"data.js",   "format.js",  "state.js",   "charts.js", "sizes.js",
                                                      "search.js", "winners.js", "machine.js", "copy.js",   "start.js"};

std::string_view page_file(std::string_view name) {
    const std::string path = fmt::format("tuner/report/page/{}", name);
    const auto files = embedded_files();
    const auto file = std::ranges::find(files, path, &EmbeddedFile::path);
    if (file == files.end()) throw Error(fmt::format("redtune was built without {}", path));
    return file->text;
}

/// Returns the text with each '<' as an escape of JSON, so that it cannot end the element that holds it.
std::string without_tags(std::string_view json) {
    std::string text;
    for (const char c : json) {
        if (c == '<') {
            text += "\\u003c";
        } else {
            text += c;
        }
    }
    return text;
}

/// Returns a script with each "</script" written in another way that means the same within its strings.
std::string as_script(std::string_view script) {
    std::string text(script);
    for (std::size_t at = text.find("</script"); at != std::string::npos; at = text.find("</script", at + 1)) {
        text.replace(at, 2, "<\\/");
    }
    return text;
}

Json list_files(const PageRequest& request) {
    Json files = Json::array();
    const std::vector<std::string> labels = labels_of_files(request);
    auto label = labels.begin();
    for (const auto* layers : {&request.layers, &request.recordings}) {
        for (const db::Layer& layer : *layers) {
            files.push_back({{"layer", layer.name}, {"name", layer.file.filename().string()}, {"label", *label++}});
        }
    }
    return files;
}

/// Returns the index of the device on which a comparison was made: the only one of the page if the comparison names
/// none.
std::optional<std::size_t> device_of(const BenchTime& time, const PageIndex& index) {
    if (!time.device.empty()) return index.devices.find_name(time.device);
    return index.devices.size() == 1 ? std::optional<std::size_t>(0) : std::nullopt;
}

/// Returns the selected comparisons with CUB on the devices of the page.
Json compared_table(const PageRequest& request, PageIndex& index) {
    ColumnTable table({"device", "problem", "regime", "n", "cub_us", "ratio", "limit_us"});
    const auto known = [](const std::optional<double>& value) { return value ? Json(rounded(*value)) : Json(); };
    std::set<std::tuple<std::size_t, std::size_t, Regime, std::uint64_t>> cells;
    for (const BenchTime& time : request.compared) {
        const bool is_selected = (!request.filter.is_problem || request.filter.is_problem(time.problem)) &&
                                 request.filter.selects(time.regime, time.n);
        const std::optional<std::size_t> device = device_of(time, index);
        if (!is_selected || !device) continue;
        const std::size_t problem = index.problems.index_of(time.problem);
        if (!cells.emplace(*device, problem, time.regime, time.n).second) continue;
        std::optional<double> ratio;
        if (time.redtune_us) ratio = time.cub_us / *time.redtune_us;
        table.add({*device, problem, std::string(to_string(time.regime)), time.n, rounded(time.cub_us), known(ratio),
                   known(time.limit_us)});
    }
    return table.json();
}

}  // namespace

std::filesystem::path find_chart_library(const std::vector<std::filesystem::path>& folders) {
    for (const auto& folder : folders) {
        std::error_code none;
        if (std::filesystem::is_regular_file(folder / chart_library_name, none)) return folder / chart_library_name;
    }
    throw Error(fmt::format(
        "no charts can be drawn, because {} is not there: the script with Vega that draws them. In a source folder, "
        "`scripts/install-dependencies` gets it (pip must reach a package index); then build redtune again. An "
        "installed redtune has it if it was built with it",
        (folders.front() / chart_library_name).string()));
}

Json page_data(const PageRequest& request, std::string_view command) {
    PageIndex index(request.families);
    // The sweeps come first, because they have all properties of the devices.
    PageSweeps measured = sweep_tables(request, index);
    Json winners = winners_table(request, index);
    Json compared = compared_table(request, index);
    return {{"version", REDTUNE_VERSION},
            {"made_at", utc_now()},
            {"command", command},
            {"files", list_files(request)},
            {"compared_files", request.compared_files},
            {"side_by_side", request.side_by_side},
            {"devices", index.devices.json()},
            {"problems", index.problems.json()},
            {"configurations", index.configurations.json()},
            {"winners", std::move(winners)},
            {"sweeps", std::move(measured.sweeps)},
            {"cells", std::move(measured.cells)},
            {"states", std::move(measured.states)},
            {"failures", std::move(measured.failures)},
            {"units", std::move(measured.units)},
            {"compared", std::move(compared)}};
}

bool is_empty_page(const Json& data) {
    return data.at("winners").at("rows") == 0 && data.at("sweeps").at("rows") == 0;
}

std::string html_page(const Json& data, std::string_view chart_library) {
    std::string script = "(() => {\n\"use strict\";\n";
    for (const std::string_view name : scripts) script.append(page_file(name));
    script += "})();\n";
    // The parts of the skeleton, each ended by a line with the name of what is inserted there.
    std::string page;
    std::string_view rest = page_file("page.html");
    const auto insert = [&](std::string_view mark, const std::string& text) {
        const std::size_t at = rest.find(mark);
        if (at == std::string_view::npos) throw Error(fmt::format("the skeleton of the page has no {}", mark));
        page.append(rest.substr(0, at)).append(text);
        rest.remove_prefix(at + mark.size());
    };
    insert("@style@", std::string(page_file("page.css")));
    insert("@licences@", std::string(page_file("licences.html")));
    insert("@data@", without_tags(compact(data)));
    insert("@charts@", as_script(chart_library));
    insert("@script@", as_script(script));
    return page.append(rest);
}

}  // namespace redtune::report
