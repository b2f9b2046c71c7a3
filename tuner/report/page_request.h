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
    std::optional<std::string> device;               ///< full name
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
    std::vector<BenchTime> compared;  ///< times of CUB, which no database holds
};

}  // namespace redtune::report
