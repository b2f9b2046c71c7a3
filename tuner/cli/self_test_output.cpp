#include "tuner/cli/self_test_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "tuner/cli/brief_configuration.h"
#include "tuner/core/configuration.h"
#include "tuner/core/size_list.h"

namespace redtune::cli {

namespace {

Cell configuration_cell(const std::optional<Trial>& trial, const std::vector<Family>& families) {
    if (!trial) return {};
    return Abbreviated{to_string(trial->configuration), brief_configuration(trial->configuration, families)};
}

Cell duration_cell(const std::optional<search::ProfiledCall>& profiled) {
    if (!profiled) return {};
    return profiled->us;
}

/// Returns the line that says whether durations of Nsight Compute had a part in the verdict.
std::string describe_profiled(const search::SelfTest& test, const std::string& why_not_profiled) {
    const auto compared = std::ranges::count_if(
        test.sizes, [](const search::SelfTestedSize& size) { return size.profiled_difference().has_value(); });
    if (compared == 0) {
        const std::string why =
            why_not_profiled.empty()
                ? fmt::format("no call takes {:.0f} us for each of its launches; take a larger --size",
                              search::least_profiled_launch_us)
                : why_not_profiled;
        return fmt::format("Nsight Compute's durations were not compared: {}.\n", why);
    }
    const std::string line = fmt::format(
        "Nsight Compute's durations were compared at {} of {} sizes, where a call takes {:.0f} us or more for "
        "each of its launches",
        compared, test.sizes.size(), search::least_profiled_launch_us);
    return line + (why_not_profiled.empty() ? ".\n" : fmt::format(". Others are missing: {}.\n", why_not_profiled));
}

constexpr const char* remedies =
    "What helps: end what else runs on the GPU (nvidia-smi lists it) and on the CPU; see whether the GPU is hot or at "
    "its power\n"
    "limit (nvidia-smi -q -d PERFORMANCE,TEMPERATURE); ask its administrator to fix the clocks (nvidia-smi -lgc). "
    "Then\n"
    "run the self-test again. Until it passes, take differences of a few per cent between configurations for noise.\n";

}  // namespace

Table make_self_test_table() {
    constexpr Visibility if_varied = Visibility::if_varied;
    return Table({{"device", 0, if_varied},
                  {"op", 0, if_varied},
                  {"dtype", 0, if_varied},
                  {"shape", 0, if_varied},
                  {"size"},
                  {"n", 0, Visibility::never},
                  {"winner"},
                  {"time_us", 2},
                  {"ncu_us", 2, Visibility::if_any},
                  {"second_winner", 0, Visibility::if_room},
                  {"difference_percent", 2},
                  {"races"},
                  {"false_wins"},
                  {"largest_gap_percent", 2, Visibility::if_room},
                  {"drift_percent", 2}});
}

void add_self_test(Table& table, const std::string& device, const Problem& problem, const search::SelfTest& test,
                   const std::vector<Family>& families) {
    for (const search::SelfTestedSize& size : test.sizes) {
        table.add({device, problem.op, std::string(to_string(problem.input)), shape_name(problem), format_size(size.n),
                   static_cast<std::int64_t>(size.n), configuration_cell(size.first, families), size.first_us,
                   duration_cell(size.profiled), configuration_cell(size.second, families), 100 * size.difference,
                   static_cast<std::int64_t>(size.races), static_cast<std::int64_t>(size.false_wins),
                   100 * size.largest_gap, 100 * size.drift});
    }
}

std::string judge(const std::string& device, const search::SelfTest& test, bool is_replay,
                  const std::string& why_not_profiled) {
    const std::vector<std::string> flaws = test.flaws();
    std::string text;
    if (flaws.empty()) {
        const char* verdict =
            is_replay ? "agree; those of a recording always do, so this says nothing of a GPU" : "can be trusted";
        text = fmt::format("The times that are taken on {} {}.\n", device, verdict);
    } else {
        text = fmt::format("The times that are taken on {} cannot be trusted:\n", device);
        for (const std::string& flaw : flaws) text += fmt::format("  - {}\n", flaw);
        text += remedies;
    }
    return text + describe_profiled(test, why_not_profiled);
}

}  // namespace redtune::cli
