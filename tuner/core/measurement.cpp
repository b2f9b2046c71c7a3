#include "tuner/core/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "redtune/error.h"
#include "tuner/core/statistics.h"

namespace redtune {

namespace {

constexpr std::array<std::string_view, 6> status_names = {"ok",           "wrong",    "implausible", "compile_error",
                                                          "launch_error", "throttled"};
constexpr std::array<std::string_view, 3> stage_names = {"screen", "survivor", "final"};

template <class Enum, std::size_t count>
Enum parse(const std::array<std::string_view, count>& names, std::string_view what, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw InputError(fmt::format("there is no {} '{}'", what, name));
    return static_cast<Enum>(found - names.begin());
}

}  // namespace

void summarise(Measurement& measurement) {
    measurement.median_us = median(measurement.samples_us);
    measurement.interquartile_us = interquartile_range(measurement.samples_us);
    const auto least = std::min_element(measurement.samples_us.begin(), measurement.samples_us.end());
    measurement.minimum_us = least == measurement.samples_us.end() ? 0 : *least;
}

std::string_view to_string(Status status) noexcept {
    return status_names[static_cast<std::size_t>(status)];
}
std::string_view to_string(Stage stage) noexcept {
    return stage_names[static_cast<std::size_t>(stage)];
}
Status parse_status(std::string_view name) {
    return parse<Status>(status_names, "status", name);
}
Stage parse_stage(std::string_view name) {
    return parse<Stage>(stage_names, "stage", name);
}

}  // namespace redtune
