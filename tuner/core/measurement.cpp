#include "tuner/core/measurement.h"

#include <algorithm>

#include "tuner/core/named.h"
#include "tuner/core/statistics.h"

namespace redtune {

namespace {

constexpr std::array statuses = {Named<Status>{"ok", Status::ok},
                                 Named<Status>{"wrong", Status::wrong},
                                 Named<Status>{"implausible", Status::implausible},
                                 Named<Status>{"compile_error", Status::compile_error},
                                 Named<Status>{"launch_error", Status::launch_error},
                                 Named<Status>{"throttled", Status::throttled},
                                 Named<Status>{"fault", Status::fault},
                                 Named<Status>{"timeout", Status::timeout},
                                 Named<Status>{"out_of_memory", Status::out_of_memory}};
constexpr std::array stages = {Named<Stage>{"screen", Stage::screen}, Named<Stage>{"survivor", Stage::survivor},
                               Named<Stage>{"final", Stage::final}};

}  // namespace

void summarise(Measurement& measurement) {
    measurement.median_us = median(measurement.samples_us);
    measurement.interquartile_us = interquartile_range(measurement.samples_us);
    const auto least = std::min_element(measurement.samples_us.begin(), measurement.samples_us.end());
    measurement.minimum_us = least == measurement.samples_us.end() ? 0 : *least;
}

bool is_harmful(Status status) noexcept {
    return status == Status::fault || status == Status::timeout || status == Status::out_of_memory;
}

std::string_view to_string(Status status) noexcept {
    return name_of(statuses, status);
}
std::string_view to_string(Stage stage) noexcept {
    return name_of(stages, stage);
}
Status parse_status(std::string_view name) {
    return parse_named(statuses, "status", name);
}
Stage parse_stage(std::string_view name) {
    return parse_named(stages, "stage", name);
}

}  // namespace redtune
