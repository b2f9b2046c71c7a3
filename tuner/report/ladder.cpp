#include "tuner/report/ladder.h"

#include <algorithm>
#include <utility>

namespace redtune::report {

namespace {

/// What the published kernels were launched with, block aside.
constexpr std::int64_t published_blocks = 1024;
constexpr std::int64_t published_lanes = 32;

using PublishedTime = std::pair<const char*, std::optional<double>>;

LadderSetup in_place() {
    LadderSetup setup;
    setup.name = "in_place";
    setup.problem = make_problem("sum", Type::i32);
    setup.problem.destructive = true;
    setup.n = std::uint64_t{1} << 24;
    setup.published_on = "Tesla M2070";
    setup.source =
        "Cheng, Grossman, McKercher, Professional CUDA C Programming, chapter 3; complete_unroll was published for a "
        "later card only: 1008 us, against 10491 us of neighbored there";
    const PublishedTime times[] = {{"neighbored", 11722.0},          {"neighbored_less", 9321.0},
                                   {"interleaved", 6967.0},          {"unrolling2", 3430.0},
                                   {"unrolling4", 1829.0},           {"unrolling8", 1422.0},
                                   {"unroll_warps8", 1355.0},        {"complete_unroll_warps8", 1280.0},
                                   {"complete_unroll", std::nullopt}};
    for (const auto& [family, us] : times) {
        setup.steps.push_back({family, {{"block", std::int64_t{512}}}, us});
    }
    return setup;
}

LadderSetup shared() {
    LadderSetup setup;
    setup.name = "shared";
    setup.problem = make_problem("sum", Type::f32);
    setup.n = std::uint64_t{32} << 20;
    setup.published_on = "A100-PCIE-40GB";
    setup.source =
        "Mark Harris, Optimizing Parallel Reduction in CUDA, reductions #1 to #7; the card's memory peaks at 1555 GB/s";
    const PublishedTime times[] = {{"shared_modulo", 990.66},     {"shared_strided", 479.58},
                                   {"shared_sequential", 462.02}, {"shared_first_add", 244.16},
                                   {"shared_last_warp", 167.10},  {"shared_full_unroll", 158.78},
                                   {"shared_multi_add", 105.47}};
    for (const auto& [family, us] : times) {
        setup.steps.push_back({family, {{"block", std::int64_t{256}}}, us});
    }
    setup.steps.back().parameters.push_back({"blocks", published_blocks});
    return setup;
}

LadderSetup rows() {
    LadderSetup setup;
    setup.name = "rows";
    setup.problem = make_problem("sum", Type::i32);
    setup.problem.row_length = 32;
    setup.n = std::uint64_t{1} << 20;
    setup.published_on = "K20c";
    setup.source = "segmented reduction of rows of 32, through shared memory and with shuffles";
    const PublishedTime times[] = {{"segment_shared", 258.76}, {"segment_shuffle", 192.90}};
    for (const auto& [family, us] : times) {
        setup.steps.push_back({family, {{"block", std::int64_t{256}}, {"lanes", published_lanes}}, us});
    }
    return setup;
}

std::optional<double> ratio(std::optional<double> above, std::optional<double> below) {
    if (!above || !below || *below <= 0) return std::nullopt;
    return *above / *below;
}

LadderFigures figures(std::optional<double> us, std::optional<double> first_us, std::uint64_t bytes,
                      double peak_gb_per_s) {
    LadderFigures figures;
    figures.us = us;
    figures.speedup = ratio(first_us, us);
    constexpr double gb_per_s_of_bytes_per_us = 1e-3;
    figures.gb_per_s = ratio(static_cast<double>(bytes) * gb_per_s_of_bytes_per_us, us);
    if (figures.gb_per_s && peak_gb_per_s > 0) figures.peak_percent = 100 * *figures.gb_per_s / peak_gb_per_s;
    return figures;
}

}  // namespace

std::span<const LadderSetup> published_ladders() {
    static const std::vector<LadderSetup> ladders = {in_place(), shared(), rows()};
    return ladders;
}

std::vector<std::string> default_steps(const Problem& problem) {
    std::vector<std::string> families;
    for (const LadderSetup& setup : published_ladders()) {
        const bool same_shape = (setup.problem.row_length == 0) == (problem.row_length == 0);
        if (!same_shape || setup.problem.destructive) continue;
        for (const LadderStep& step : setup.steps) families.push_back(step.family);
        break;
    }
    return families;
}

LadderSetup custom_ladder(Problem problem, std::uint64_t n, std::int64_t block, std::span<const Family> families) {
    LadderSetup setup;
    setup.name = "custom";
    setup.problem = std::move(problem);
    setup.n = n;
    const Parameter wanted[] = {{"block", block}, {"blocks", published_blocks}, {"lanes", published_lanes}};
    for (const Family& family : families) {
        LadderStep& step = setup.steps.emplace_back();
        step.family = family.name;
        for (const Parameter& parameter : wanted) {
            const bool has_it = std::any_of(family.parameters.begin(), family.parameters.end(),
                                            [&](const ParameterValues& own) { return own.name == parameter.name; });
            if (has_it) step.parameters.push_back(parameter);
        }
        setup.problem.destructive = setup.problem.destructive || family.destructive;
    }
    return setup;
}

std::vector<LadderRow> ladder_rows(const LadderSetup& setup, const LadderResult& result, double peak_gb_per_s) {
    const std::uint64_t bytes = bytes_read(setup.problem, setup.n);
    const LadderTimes first = result.steps.empty() ? LadderTimes{} : result.steps.front();
    const auto row_of = [&](const LadderTimes& times) {
        LadderRow row;
        row.setup = setup.name;
        row.family = times.family;
        row.configuration = times.configuration;
        row.kernel = figures(times.kernel_us, first.kernel_us, bytes, peak_gb_per_s);
        row.call = figures(times.call_us, first.call_us, bytes, peak_gb_per_s);
        return row;
    };
    std::vector<LadderRow> rows;
    for (std::size_t i = 0; i < result.steps.size(); ++i) {
        LadderRow& row = rows.emplace_back(row_of(result.steps[i]));
        row.step = i + 1;
        row.published_us = setup.steps[i].published_us;
        row.published_speedup = ratio(setup.steps.front().published_us, row.published_us);
        if (row.published_us) row.published_on = setup.published_on;
    }
    if (result.redtune) rows.push_back(row_of(*result.redtune));
    return rows;
}

}  // namespace redtune::report
