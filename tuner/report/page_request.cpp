#include "tuner/report/page_request.h"

#include <algorithm>
#include <filesystem>

namespace redtune::report {

bool PageFilter::selects(const std::string& device_name, const Problem& problem) const {
    return (devices.empty() || std::ranges::find(devices, device_name) != devices.end()) &&
           (!is_problem || is_problem(problem));
}

bool PageFilter::selects(Regime regime, std::uint64_t n) const {
    return (regimes.empty() || std::ranges::find(regimes, regime) != regimes.end()) && (!is_size || is_size(n));
}

namespace {

/// Returns whether another name equals the one at an index.
bool is_repeated(const std::vector<std::string>& names, std::size_t index) {
    return std::ranges::count(names, names[index]) > 1;
}

}  // namespace

std::vector<std::string> labels_of_files(const PageRequest& request) {
    std::vector<std::filesystem::path> files;
    std::vector<std::string> of_layers;
    std::vector<std::string> of_files;
    for (const auto* layers : {&request.layers, &request.recordings}) {
        for (const db::Layer& layer : *layers) {
            files.push_back(layer.file);
            of_layers.emplace_back(layer.name);
            of_files.push_back(layer.file.filename().string());
        }
    }
    std::vector<std::string> labels = of_layers;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!is_repeated(of_layers, i)) continue;
        labels[i] = is_repeated(of_files, i) ? (files[i].parent_path().filename() / of_files[i]).string() : of_files[i];
    }
    return labels;
}

}  // namespace redtune::report
