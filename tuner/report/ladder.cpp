#include "tuner/report/ladder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tuner/core/named.h"

namespace redtune::report {

namespace {

/// Launch parameters that all published kernels have in common. The number of threads per block differs between the
/// ladders: see PublishedLadder::block.
constexpr std::int64_t published_blocks = 1024;
constexpr std::int64_t published_lanes = 32;

/// A ladder with its published times. Its steps are the families whose front matter names the ladder.
struct PublishedLadder {
    std::string name;
    Problem problem;
    std::uint64_t n;
    std::int64_t block;  ///< threads per block
    std::string card;
    std::string source;
    std::vector<std::optional<double>> us;    ///< published time of each step, the kernel alone
    std::vector<double> memory_percent = {};  ///< published Counters::memory_percent of each step
};

PublishedLadder in_place_ladder() {
    Problem problem = make_problem("sum", Type::i32);
    problem.destructive = true;
    return {
        "in_place",
        problem,
        std::uint64_t{1} << 24,
        512,
        "Tesla M2070",
        "Cheng, Grossman, McKercher, Professional CUDA C Programming, chapter 3; complete_unroll was published for a "
        "later card only: 1008 us, against 10491 us of neighbored there",
        {11722.0, 9321.0, 6967.0, 3430.0, 1829.0, 1422.0, 1355.0, 1280.0, std::nullopt}};
}

PublishedLadder shared_memory_ladder() {
    return {
        "shared",
        make_problem("sum", Type::f32),
        std::uint64_t{32} << 20,
        256,
        "A100-PCIE-40GB",
        "Mark Harris, Optimizing Parallel Reduction in CUDA, reductions #1 to #7; the card's memory peaks at 1555 GB/s",
        {990.66, 479.58, 462.02, 244.16, 167.10, 158.78, 105.47},
        {39.57, 81.74, 84.81, 83.16, 54.10, 56.94, 85.75}};
}

PublishedLadder rows_ladder() {
    Problem problem = make_problem("sum", Type::i32);
    problem.row_length = 32;
    return {"rows",
            problem,
            std::uint64_t{1} << 20,
            256,
            "K20c",
            "segmented reduction of rows of 32, through shared memory and with shuffles",
            {258.76, 192.90}};
}

const std::vector<PublishedLadder>& published_data() {
    static const std::vector<PublishedLadder> ladders = {in_place_ladder(), shared_memory_ladder(), rows_ladder()};
    return ladders;
}

/// Returns the launch parameters of the published kernels that the family has as parameters too.
std::vector<Parameter> published_parameters(const Family& family, std::int64_t block) {
    std::vector<Parameter> parameters;
    for (const Parameter& wanted :
         {Parameter{"block", block}, Parameter{"blocks", published_blocks}, Parameter{"lanes", published_lanes}}) {
        const bool has_it = std::any_of(family.parameters.begin(), family.parameters.end(),
                                        [&](const ParameterValues& own) { return own.name == wanted.name; });
        if (has_it) parameters.push_back(wanted);
    }
    return parameters;
}

/// Returns the families that are steps of a ladder, in the order of their steps.
std::vector<const Family*> steps_of(std::string_view ladder, std::span<const Family> families) {
    std::vector<const Family*> steps;
    for (const Family& family : families) {
        if (family.role.ladder == ladder) steps.push_back(&family);
    }
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Family* a, const Family* b) { return a->role.step < b->role.step; });
    return steps;
}

LadderSetup setup_of(const PublishedLadder& ladder, std::span<const Family> families) {
    LadderSetup setup{ladder.name, ladder.problem, ladder.n, {}, ladder.card, ladder.source};
    for (const Family* family : steps_of(ladder.name, families)) {
        const std::size_t index = family->role.step - 1;
        setup.steps.push_back({family->name, published_parameters(*family, ladder.block),
                               index < ladder.us.size() ? ladder.us[index] : std::nullopt});
        if (index < ladder.memory_percent.size()) {
            setup.steps.back().published_memory_percent = ladder.memory_percent[index];
        }
    }
    return setup;
}

/// Checks that the ladders which the front matter of these families names exist.
/// @throws InputError for a family that names an unknown ladder
void check_ladder_names(std::span<const Family> families) {
    const std::vector<std::string> names = ladder_names();
    for (const Family& family : families) {
        if (family.role.ladder.empty()) continue;
        if (std::find(names.begin(), names.end(), family.role.ladder) != names.end()) continue;
        throw InputError(fmt::format("{}: {}", family.path, unknown_name("ladder", family.role.ladder, names)));
    }
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

std::vector<std::string> ladder_names() {
    std::vector<std::string> names;
    for (const PublishedLadder& ladder : published_data()) names.push_back(ladder.name);
    return names;
}

std::vector<LadderSetup> published_ladders(std::span<const Family> families) {
    check_ladder_names(families);
    std::vector<LadderSetup> setups;
    for (const PublishedLadder& ladder : published_data()) setups.push_back(setup_of(ladder, families));
    return setups;
}

std::vector<std::string> default_steps(const Problem& problem, std::span<const Family> families) {
    std::vector<std::string> names;
    for (const PublishedLadder& ladder : published_data()) {
        const bool same_shape = shape_of(ladder.problem).kind() == shape_of(problem).kind();
        if (!same_shape || ladder.problem.destructive) continue;
        for (const Family* family : steps_of(ladder.name, families)) names.push_back(family->name);
        break;
    }
    return names;
}

LadderSetup custom_ladder(Problem problem, std::uint64_t n, std::int64_t block, std::span<const Family> families) {
    LadderSetup setup;
    setup.name = "custom";
    setup.problem = std::move(problem);
    setup.n = n;
    for (const Family& family : families) {
        setup.steps.push_back({family.name, published_parameters(family, block), std::nullopt});
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
        row.counters = times.counters;
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
        row.published_memory_percent = setup.steps[i].published_memory_percent;
        if (row.published_us) row.published_on = setup.published_on;
    }
    if (result.redtune) rows.push_back(row_of(*result.redtune));
    return rows;
}

}  // namespace redtune::report
