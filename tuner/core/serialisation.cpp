#include "tuner/core/serialisation.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "redtune/error.h"
#include "tuner/core/configuration.h"
#include "tuner/core/json_object.h"

namespace redtune {

namespace {

/// Calls a function. If it throws InputError, prefixes the message with the name of the object that was read.
template <class Read>
auto read_naming(const JsonObject& object, Read read) {
    try {
        return read();
    } catch (const InputError& error) {
        object.fail(error.what());
    }
}

/// Returns the value that `read` makes of a member's JSON text. Throws InputError if `write` turns the value into
/// different text, for example because a number was out of range or a key is unknown.
template <class Read, class Write>
auto read_spelled(JsonObject& object, const char* key, Read read, Write write) {
    const std::string text = object.member(key).dump();
    auto value = read_naming(object, [&] { return read(text); });
    const std::string written = write(value);
    if (written != text) object.fail(fmt::format("'{}' is {:.200}; it was understood as {:.200}", key, text, written));
    return value;
}

template <class Value>
void write_optional(Json& object, const char* key, const std::optional<Value>& value) {
    if (value) object[key] = *value;
}

/// Returns the circumstances as a JSON object, without the values that are empty.
Json to_object(const Circumstances& circumstances) {
    Json object = Json::object();
    write_optional(object, "sm_mhz", circumstances.sm_mhz);
    write_optional(object, "memory_mhz", circumstances.memory_mhz);
    write_optional(object, "temperature_c", circumstances.temperature_c);
    if (circumstances.power_w) object["power_w"] = number_to_json(*circumstances.power_w);
    write_optional(object, "throttle_reasons", circumstances.throttle_reasons);
    return object;
}

/// Returns the circumstances that to_object() wrote.
Circumstances circumstances_from(JsonObject object) {
    Circumstances circumstances;
    const auto read = [&]<class Integer>(const char* key, std::optional<Integer>& value) {
        if (object.has(key)) value = object.whole_number<Integer>(key);
    };
    read("sm_mhz", circumstances.sm_mhz);
    read("memory_mhz", circumstances.memory_mhz);
    read("temperature_c", circumstances.temperature_c);
    if (object.has("power_w")) circumstances.power_w = object.number("power_w");
    read("throttle_reasons", circumstances.throttle_reasons);
    object.check_all_read();
    return circumstances;
}

/// Throws InputError for a trial with infinity or NaN: parameters and rules are plain JSON, which has neither.
void refuse_not_finite(const Trial& trial) {
    const auto refuse = [&](std::string_view name, double value) {
        if (std::isfinite(value)) return;
        throw InputError(
            fmt::format("{} of {} is {}; allowed are finite numbers", name, trial.configuration.family, value));
    };
    for (const Parameter& parameter : trial.configuration.parameters) {
        if (const auto* value = std::get_if<double>(&parameter.value)) refuse(parameter.name, *value);
    }
    refuse("blocks_per_sm", trial.rule.blocks_per_sm);
}

}  // namespace

std::string to_json(const Trial& trial) {
    refuse_not_finite(trial);
    try {
        const Json object = {{"family", text_to_json(trial.configuration.family)},
                             {"parameters", Json::parse(to_json(trial.configuration.parameters))},
                             {"rule", Json::parse(to_json(trial.rule))},
                             {"deterministic", trial.deterministic},
                             {"destructive", trial.destructive},
                             {"bytes_in_flight", trial.bytes_in_flight}};
        return object.dump();
    } catch (const Json::exception& error) {
        throw InputError(
            fmt::format("the parameters of {} are not UTF-8: {}", trial.configuration.family, error.what()));
    }
}

Trial trial_from_json(std::string_view json) {
    JsonObject object(json, "a trial");
    Trial trial;
    trial.configuration.family = object.text("family");
    trial.configuration.parameters = read_spelled(
        object, "parameters", [](const std::string& text) { return parameters_from_json(text); },
        [](const std::vector<Parameter>& parameters) { return to_json(parameters); });
    trial.rule = read_spelled(
        object, "rule", [](const std::string& text) { return launch_rule_from_json(text); },
        [](const LaunchRule& rule) { return to_json(rule); });
    trial.deterministic = object.boolean("deterministic");
    trial.destructive = object.boolean("destructive");
    trial.bytes_in_flight = object.whole_number<std::uint64_t>("bytes_in_flight");
    object.check_all_read();
    return trial;
}

std::string to_json(const Measurement& measurement) {
    Json samples = Json::array();
    for (const double sample : measurement.samples_us) samples.push_back(number_to_json(sample));
    const Json object = {{"status", to_string(measurement.status)},
                         {"stage", to_string(measurement.stage)},
                         {"reason", text_to_json(measurement.reason)},
                         {"samples_us", std::move(samples)},
                         {"median_us", number_to_json(measurement.median_us)},
                         {"interquartile_us", number_to_json(measurement.interquartile_us)},
                         {"minimum_us", number_to_json(measurement.minimum_us)},
                         {"rejected", measurement.rejected},
                         {"calls_per_sample", measurement.calls_per_sample},
                         {"floor_us", number_to_json(measurement.floor_us)},
                         {"registers", measurement.resources.registers},
                         {"shared_bytes", measurement.resources.shared_bytes},
                         {"spill_bytes", measurement.resources.spill_bytes},
                         {"circumstances", to_object(measurement.circumstances)},
                         {"measured_at", text_to_json(measurement.measured_at)},
                         {"data", text_to_json(measurement.data)}};
    return object.dump();
}

Measurement measurement_from_json(std::string_view json) {
    JsonObject object(json, "a measurement");
    Measurement measurement;
    measurement.status = read_naming(object, [name = object.text("status")] { return parse_status(name); });
    measurement.stage = read_naming(object, [name = object.text("stage")] { return parse_stage(name); });
    measurement.reason = object.text("reason");
    measurement.samples_us = object.numbers("samples_us");
    measurement.median_us = object.number("median_us");
    measurement.interquartile_us = object.number("interquartile_us");
    measurement.minimum_us = object.number("minimum_us");
    measurement.rejected = object.whole_number<std::uint32_t>("rejected");
    measurement.calls_per_sample = object.whole_number<std::uint32_t>("calls_per_sample");
    measurement.floor_us = object.number("floor_us");
    measurement.resources.registers = object.whole_number<std::uint32_t>("registers");
    measurement.resources.shared_bytes = object.whole_number<std::uint32_t>("shared_bytes");
    measurement.resources.spill_bytes = object.whole_number<std::uint32_t>("spill_bytes");
    measurement.circumstances = circumstances_from({object.member("circumstances"), "the circumstances"});
    measurement.measured_at = object.text("measured_at");
    measurement.data = object.text("data");
    object.check_all_read();
    return measurement;
}

}  // namespace redtune
