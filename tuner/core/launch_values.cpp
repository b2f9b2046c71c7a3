#include "tuner/core/launch_values.h"

#include <algorithm>

namespace redtune {

namespace {

constexpr std::int64_t most_threads = 1024;
constexpr std::int64_t most_blocks = 1 << 24;
constexpr std::int64_t most_shared_bytes = 1 << 20;
constexpr std::int64_t most_elements = std::int64_t{1} << 40;
constexpr std::int64_t largest_cluster = 16;

constexpr LaunchValue launch_values_table[] = {
    {"block", true, 1, most_threads, std::nullopt},
    {"tile", true, 1, most_elements, std::nullopt},
    {"grid", false},
    {"blocks_per_sm", false},
    {"blocks", true, 1, most_blocks, std::nullopt},
    {"rows_per_block", true, 1, most_threads, 1},
    {"blocks_per_row", true, 1, most_blocks, 1},
    {"columns_per_block", true, 1, most_blocks, 1},
    {"parts", true, 1, most_blocks, 1},
    {"continuation", false},
    {"shared_bytes", true, 0, most_shared_bytes, 0},
    {"slot_bytes", true, 0, most_shared_bytes, 0},
    {"slots_zeroed", true, 0, 1, 0},
    {"cluster", true, 1, largest_cluster, 1},
    {"pdl", true, 0, 1, 0},
    {"combine_pdl", true, 0, 1, 0},
    {"combine_block", true, 0, most_threads, 0},
    {"deterministic", true, 0, 1, 1},
    {"bytes_in_flight", true, 0, most_elements, 0},
};

}  // namespace

std::span<const LaunchValue> launch_values() noexcept {
    return launch_values_table;
}

const LaunchValue* find_launch_value(std::string_view name) noexcept {
    const auto found = std::find_if(std::begin(launch_values_table), std::end(launch_values_table),
                                    [&](const LaunchValue& each) { return each.name == name; });
    return found != std::end(launch_values_table) ? found : nullptr;
}

std::vector<std::string> launch_value_names() {
    std::vector<std::string> names;
    for (const LaunchValue& each : launch_values_table) names.emplace_back(each.name);
    return names;
}

}  // namespace redtune
