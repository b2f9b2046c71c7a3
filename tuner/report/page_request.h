#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/layer.h"
#include "redtune/problem.h"
#include "tuner/core/family.h"
#include "tuner/report/bench_times.h"

namespace redtune::report {

/// Selects what a page shows. An empty member selects everything.
struct PageFilter {
    std::vector<std::string> devices;                ///< full names
    std::function<bool(const Problem&)> is_problem;  ///< is called with the determinism `any`
    std::function<bool(std::uint64_t)> is_size;
    std::vector<Regime> regimes;

    bool selects(const std::string& device_name, const Problem& problem) const;
    bool selects(Regime regime, std::uint64_t n) const;
};

/// The databases that a page shows, and which part of them.
struct PageRequest {
    std::vector<db::Layer> layers;      ///< files with winners and measurements, as db::layers() returns them
    std::vector<db::Layer> recordings;  ///< files of which only the measurements are shown
    PageFilter filter;
    std::span<const Family> families;
    /// Times of CUB, which no database holds. Of several times of one cell, the first is shown.
    std::vector<BenchTime> compared;
    std::vector<std::string> compared_files;  ///< names of the files that `compared` was read from
    std::string side_by_side;  ///< what the page compares when it is opened: "device" or "file"; empty: nothing
};

/// Returns a name for each file of `layers` and then of `recordings`: the name of its layer, or the name of the file,
/// with that of its folder, if several files would have the same name.
std::vector<std::string> labels_of_files(const PageRequest& request);

}  // namespace redtune::report
