#include "db/stored_rows.h"

#include <algorithm>

#include "db/data_ratios.h"
#include "db/parsed_texts.h"
#include "db/samples.h"

namespace redtune::db {

StoredMeasurement read_measurement(Row& row) {
    thread_local ParsedTexts<std::vector<Parameter>> parameters(parameters_from_json);
    thread_local ParsedTexts<LaunchRule> rules(launch_rule_from_json);
    StoredMeasurement stored;
    stored.id = row.integer();
    stored.configuration.family = row.text();
    stored.configuration.parameters = parameters.of(row.text());
    stored.code_hash = row.text();
    stored.rule = rules.of(row.text());
    stored.deterministic = row.integer() != 0;
    stored.unit = row.text();
    stored.n = row.integer<std::uint64_t>();
    stored.regime = parse_regime(row.text());
    stored.grid = row.integer<std::uint32_t>();
    stored.block = row.integer<std::uint32_t>();
    Measurement& measurement = stored.measurement;
    measurement.status = parse_status(row.text());
    measurement.stage = parse_stage(row.text());
    measurement.reason = row.text();
    measurement.samples_us = samples_from_json(row.text());
    const auto least = std::min_element(measurement.samples_us.begin(), measurement.samples_us.end());
    if (least != measurement.samples_us.end()) measurement.minimum_us = *least;
    measurement.median_us = row.real();
    measurement.interquartile_us = row.real();
    measurement.rejected = row.integer<std::uint32_t>();
    measurement.calls_per_sample = row.integer<std::uint32_t>();
    measurement.floor_us = row.real();
    measurement.resources.registers = row.integer<std::uint32_t>();
    measurement.resources.shared_bytes = row.integer<std::uint32_t>();
    measurement.resources.spill_bytes = row.integer<std::uint32_t>();
    measurement.circumstances.sm_mhz = row.optional_integer<std::uint32_t>();
    measurement.circumstances.memory_mhz = row.optional_integer<std::uint32_t>();
    measurement.circumstances.temperature_c = row.optional_integer<std::uint32_t>();
    measurement.circumstances.power_w = row.optional_real();
    measurement.circumstances.throttle_reasons = row.optional_integer<std::uint64_t>();
    measurement.measured_at = row.text();
    measurement.data = row.text();
    return stored;
}

DeviceInfo read_device(Row& row) {
    DeviceInfo device;
    device.name = row.text();
    device.compute_major = row.integer<int>();
    device.compute_minor = row.integer<int>();
    device.sm_count = row.integer<std::uint32_t>();
    device.memory_bytes = row.integer<std::uint64_t>();
    device.l2_bytes = row.integer<std::uint64_t>();
    device.mig_profile = row.text();
    device.max_threads_per_sm = row.integer<std::uint32_t>();
    device.max_shared_bytes_per_block = row.integer<std::uint32_t>();
    device.peak_gb_per_s = row.real();
    return device;
}

Problem read_problem(Row& row) {
    Problem problem;
    problem.op = row.text();
    problem.input = parse_type(row.text());
    problem.accumulator = parse_type(row.text());
    problem.output = parse_type(row.text());
    read_shape(row.text(), problem);
    problem.arrays = row.integer<std::uint32_t>() / size_of(problem.input);
    return problem;
}

StoredWinner read_winner(Row& row) {
    StoredWinner stored;
    stored.problem = read_problem(row);
    stored.problem.determinism = parse_determinism(row.text());
    stored.n = row.integer<std::uint64_t>();
    stored.regime = parse_regime(row.text());
    stored.decided_by = row.text();
    stored.runner_up_ratio = row.optional_real();
    stored.source = row.text();
    stored.toolchain.redtune_version = row.text();
    stored.toolchain.nvrtc_version = row.text();
    stored.toolchain.driver_version = row.text();
    stored.units = row.integer<std::uint32_t>();
    stored.spread = row.optional_real();
    const auto least = row.optional_integer<std::uint64_t>();
    const auto most = row.optional_integer<std::uint64_t>();
    if (least && most) stored.candidate_for = SizeRange{*least, *most};
    stored.data = data_ratios_from_json(row.text());
    stored.effort = row.text();
    stored.device = read_device(row);
    stored.measurement = read_measurement(row);
    return stored;
}

}  // namespace redtune::db
