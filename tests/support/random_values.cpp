#include "tests/support/random_values.h"

#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace redtune::test_support {

namespace {

/// Generates any double except NaN, which is not equal to itself.
double any_number() {
    const auto number = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
    return std::isnan(number) ? *rc::gen::arbitrary<double>() : number;
}

/// Generates any finite double.
double finite_number() {
    const double number = any_number();
    return std::isfinite(number) ? number : *rc::gen::arbitrary<double>();
}

/// Generates an integer, or nullopt in half of the cases.
template <class Integer>
std::optional<Integer> any_optional() {
    return *rc::gen::arbitrary<bool>() ? std::optional(*rc::gen::arbitrary<Integer>()) : std::nullopt;
}

Value any_value() {
    switch (*rc::gen::inRange(0, 3)) {
        case 0:
            return *rc::gen::arbitrary<std::int64_t>();
        case 1:
            return finite_number();
        default:
            return std::string(*rc::gen::element("ticket", "", "\"quoted\\\"", "a b", "\xc3\xa9"));
    }
}

/// Generates a rule. Members that its grid rule does not use keep their initial value, because JSON leaves them out.
LaunchRule any_rule() {
    LaunchRule rule;
    rule.block = *rc::gen::arbitrary<std::uint32_t>();
    rule.tile = *rc::gen::arbitrary<std::uint64_t>();
    rule.grid = *rc::gen::element(GridRule::one, GridRule::tiles, GridRule::blocks_per_sm, GridRule::blocks,
                                  GridRule::rows, GridRule::columns);
    rule.continuation = *rc::gen::element(Continuation::none, Continuation::combine_partials, Continuation::repeat);
    rule.shared_bytes = *rc::gen::arbitrary<std::uint32_t>();
    rule.slot_bytes = *rc::gen::arbitrary<std::uint32_t>();
    rule.slots_zeroed = *rc::gen::arbitrary<bool>();
    rule.cluster = *rc::gen::arbitrary<std::uint32_t>();
    rule.combine_block = *rc::gen::arbitrary<std::uint32_t>();
    rule.combine_pdl = *rc::gen::arbitrary<bool>();
    rule.pdl = *rc::gen::arbitrary<bool>();
    if (rule.grid == GridRule::blocks_per_sm) {
        rule.blocks_per_sm = finite_number();
        rule.sm_count = *rc::gen::arbitrary<std::uint32_t>();
    }
    if (rule.grid == GridRule::blocks) rule.blocks = *rc::gen::arbitrary<std::uint32_t>();
    if (rule.grid == GridRule::rows) {
        rule.rows_per_block = *rc::gen::arbitrary<std::uint32_t>();
        rule.blocks_per_row = *rc::gen::arbitrary<std::uint32_t>();
    }
    if (rule.grid == GridRule::columns) {
        rule.columns_per_block = *rc::gen::arbitrary<std::uint32_t>();
        rule.parts = *rc::gen::arbitrary<std::uint32_t>();
    }
    return rule;
}

}  // namespace

std::string any_text() {
    if (*rc::gen::arbitrary<bool>()) return *rc::gen::string<std::string>();
    const auto bytes = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 256));
    return {bytes.begin(), bytes.end()};
}

Measurement any_measurement() {
    Measurement measurement;
    measurement.status =
        *rc::gen::element(Status::ok, Status::wrong, Status::implausible, Status::compile_error, Status::launch_error,
                          Status::throttled, Status::fault, Status::timeout, Status::out_of_memory);
    measurement.stage = *rc::gen::element(Stage::screen, Stage::survivor, Stage::final);
    measurement.reason = any_text();
    const int samples = *rc::gen::inRange(0, 20);
    for (int i = 0; i < samples; ++i) measurement.samples_us.push_back(any_number());
    measurement.median_us = any_number();
    measurement.interquartile_us = any_number();
    measurement.minimum_us = any_number();
    measurement.rejected = *rc::gen::arbitrary<std::uint32_t>();
    measurement.calls_per_sample = *rc::gen::arbitrary<std::uint32_t>();
    measurement.floor_us = any_number();
    measurement.resources = {*rc::gen::arbitrary<std::uint32_t>(), *rc::gen::arbitrary<std::uint32_t>(),
                             *rc::gen::arbitrary<std::uint32_t>()};
    measurement.circumstances = {any_optional<std::uint32_t>(),
                                 any_optional<std::uint32_t>(),
                                 any_optional<std::uint32_t>(),
                                 {},
                                 any_optional<std::uint64_t>()};
    if (*rc::gen::arbitrary<bool>()) measurement.circumstances.power_w = any_number();
    measurement.measured_at = any_text();
    measurement.data = any_text();
    return measurement;
}

Trial any_trial() {
    Trial trial;
    trial.configuration.family = any_text();
    const int count = *rc::gen::inRange(0, 6);
    for (int i = 0; i < count; ++i) trial.configuration.parameters.push_back({"p" + std::to_string(i), any_value()});
    trial.rule = any_rule();
    trial.deterministic = *rc::gen::arbitrary<bool>();
    trial.destructive = *rc::gen::arbitrary<bool>();
    trial.bytes_in_flight = *rc::gen::arbitrary<std::uint64_t>();
    return trial;
}

}  // namespace redtune::test_support
