#include <fmt/format.h>

#include <cmath>

#include "db/data_ratios.h"
#include "db/samples.h"
#include "db/shape.h"
#include "db/store.h"
#include "db/store_impl.h"
#include "redtune/error.h"

namespace redtune::db {

namespace {

/// Returns the value; nullopt, which is stored as NULL, if it is not a positive finite number, that is, not known.
std::optional<double> null_if_unknown(double value) {
    return value > 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::string_view> null_if_unknown(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

std::int64_t Store::begin_sweep(const DeviceInfo& device, const Problem& problem, const ToolchainInfo& toolchain,
                                std::string_view source, std::string_view command) {
    Transaction transaction(impl_->connection);
    const std::int64_t device_id =
        impl_
            ->statement(
                "INSERT INTO device (name, compute_major, compute_minor, sm_count, memory_gib, l2_bytes, "
                "mig_profile, memory_bytes, max_threads_per_sm, max_shared_bytes_per_block, peak_gb_per_s) "
                "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) "
                "ON CONFLICT DO UPDATE SET memory_bytes = excluded.memory_bytes, "
                "max_threads_per_sm = excluded.max_threads_per_sm, "
                "max_shared_bytes_per_block = excluded.max_shared_bytes_per_block, "
                "peak_gb_per_s = coalesce(excluded.peak_gb_per_s, peak_gb_per_s) RETURNING id")
            .bind(device.name, device.compute_major, device.compute_minor, device.sm_count, device.memory_gib(),
                  device.l2_bytes, device.mig_profile, device.memory_bytes, device.max_threads_per_sm,
                  device.max_shared_bytes_per_block, null_if_unknown(device.peak_gb_per_s))
            .value()
            .value();
    std::optional<std::int64_t> unit_id;
    if (!device.uuid.empty()) {
        unit_id = impl_->intern("SELECT id FROM device_unit WHERE device_id = ?1 AND uuid = ?2",
                                "INSERT INTO device_unit (device_id, uuid) VALUES (?1, ?2)", device_id, device.uuid);
    }
    const std::int64_t problem_id = impl_->intern(
        "SELECT id FROM problem WHERE op = ?1 AND input_type = ?2 AND accumulator_type = ?3 AND output_type = ?4 "
        "AND shape = ?5 AND input_bytes = ?6",
        "INSERT INTO problem (op, input_type, accumulator_type, output_type, shape, input_bytes) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        problem.op, to_string(problem.input), to_string(problem.accumulator), to_string(problem.output),
        stored_shape(problem), bytes_read(problem, 1));
    const std::int64_t toolchain_id = impl_->intern(
        "SELECT id FROM toolchain WHERE redtune_version = ?1 AND nvrtc_version = ?2 AND driver_version = ?3",
        "INSERT INTO toolchain (redtune_version, nvrtc_version, driver_version) VALUES (?1, ?2, ?3)",
        toolchain.redtune_version, toolchain.nvrtc_version, toolchain.driver_version);
    impl_
        ->statement(
            // The identity begins with milliseconds, so that a merge keeps the order of sweeps that began in the same
            // second.
            "INSERT INTO sweep (device_id, device_unit_id, problem_id, toolchain_id, started_at, status, "
            "source, command, identity) VALUES (?1, ?2, ?3, ?4, unixepoch(), 'running', ?5, ?6, "
            "format('%d-%s', 86400000 * (julianday('now') - 2440587.5), lower(hex(randomblob(16)))))")
        .bind(device_id, unit_id, problem_id, toolchain_id, source, command)
        .run();
    const std::int64_t sweep = impl_->connection.last_insert_rowid();
    transaction.commit();
    return sweep;
}

void Store::finish_sweep(std::int64_t sweep, std::string_view status) {
    impl_->statement("UPDATE sweep SET status = ?2, finished_at = unixepoch() WHERE id = ?1").bind(sweep, status).run();
    if (impl_->connection.changes() == 0) {
        throw DatabaseError(fmt::format("{} has no sweep {}", impl_->file.string(), sweep));
    }
}

std::int64_t Store::record(std::int64_t sweep, const Trial& trial, std::string_view code_hash, std::uint64_t n,
                           Regime regime, const LaunchPlan& plan, const Measurement& measurement) {
    const Configuration& configuration = trial.configuration;
    const std::string parameters = to_json(configuration.parameters);
    const std::string rule = to_json(trial.rule);
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}\n{}", configuration.family, code_hash, parameters, rule, trial.deterministic);
    auto cached = impl_->configuration_ids.find(key);
    if (cached == impl_->configuration_ids.end()) {
        Transaction transaction(impl_->connection);
        const std::int64_t family_id =
            impl_->intern("SELECT id FROM family WHERE name = ?1 AND code_hash = ?2",
                          "INSERT INTO family (name, code_hash) VALUES (?1, ?2)", configuration.family, code_hash);
        const std::int64_t configuration_id = impl_->intern(
            "SELECT id FROM configuration WHERE family_id = ?1 AND parameters = ?2 AND launch_rule = ?3 "
            "AND deterministic = ?4",
            "INSERT INTO configuration (family_id, parameters, launch_rule, deterministic) VALUES (?1, ?2, ?3, ?4)",
            family_id, parameters, rule, trial.deterministic);
        transaction.commit();
        cached = impl_->configuration_ids.emplace(key, configuration_id).first;
    }
    const Launch& first = plan.steps[0];
    const Circumstances& around = measurement.circumstances;
    std::optional<double> watts = around.power_w;
    if (watts) watts = std::round(*watts);
    // Uniform data, on which most measurements are taken, has the id 0.
    const std::int64_t data_id = measurement.data == "uniform"
                                     ? 0
                                     : impl_->intern("SELECT id FROM data WHERE name = ?1",
                                                     "INSERT OR IGNORE INTO data (name) VALUES (?1)", measurement.data);
    impl_
        ->statement(
            "INSERT INTO measurement (sweep_id, configuration_id, n, regime_id, stage_id, status_id, reason, "
            "samples, median_us, interquartile_us, rejected, calls_per_sample, floor_us, sm_mhz, memory_mhz, "
            "temperature_c, power_w, throttle_reasons, registers, shared_bytes, spill_bytes, grid, block, "
            "measured_at, data_id) "
            "VALUES (?1, ?2, ?3, (SELECT id FROM regime WHERE name = ?4), "
            "(SELECT id FROM stage WHERE name = ?5), (SELECT id FROM status WHERE name = ?6), ?7, ?8, ?9, ?10, "
            "?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, "
            "coalesce(unixepoch(?24), unixepoch()), ?25)")
        .bind(sweep, cached->second, n, to_string(regime), to_string(measurement.stage), to_string(measurement.status),
              null_if_unknown(std::string_view(measurement.reason)), samples_to_json(measurement.samples_us),
              null_if_unknown(measurement.median_us), null_if_unknown(measurement.interquartile_us),
              measurement.rejected, measurement.calls_per_sample, null_if_unknown(measurement.floor_us), around.sm_mhz,
              around.memory_mhz, around.temperature_c, watts, around.throttle_reasons, measurement.resources.registers,
              measurement.resources.shared_bytes, measurement.resources.spill_bytes, first.grid, first.block,
              measurement.measured_at, data_id)
        .run();
    return impl_->connection.last_insert_rowid();
}

void Store::set_winner(std::int64_t sweep, std::uint64_t n, Regime regime, Determinism determinism,
                       std::int64_t measurement, std::string_view decided_by, std::optional<double> runner_up_ratio,
                       const std::optional<SizeRange>& candidate_for, const std::vector<DataRatio>& data,
                       std::string_view effort) {
    // `origin` is the sweep that recorded the measurement: this sweep, or an earlier one of the same device and
    // problem.
    impl_
        ->statement(
            "INSERT OR REPLACE INTO unit_winner (device_id, device_unit_id, problem_id, regime_id, n, determinism, "
            "measurement_id, decided_by, runner_up_ratio, least_n, most_n, data_ratios, effort) "
            "SELECT sweep.device_id, origin.device_unit_id, sweep.problem_id, measurement.regime_id, measurement.n, "
            "?4, measurement.id, ?6, ?7, ?8, ?9, ?10, nullif(?11, '') FROM sweep JOIN measurement ON measurement.id = "
            "?5 "
            "JOIN regime ON regime.id = measurement.regime_id "
            "JOIN status ON status.id = measurement.status_id "
            "JOIN sweep AS origin ON origin.id = measurement.sweep_id "
            "AND origin.device_id = sweep.device_id AND origin.problem_id = sweep.problem_id "
            "JOIN configuration ON configuration.id = measurement.configuration_id "
            "WHERE sweep.id = ?1 AND measurement.n = ?2 AND regime.name = ?3 "
            "AND status.name = 'ok' AND (configuration.deterministic OR ?4 = 'any')")
        .bind(sweep, n, to_string(regime), to_string(determinism), measurement, decided_by, runner_up_ratio,
              candidate_for ? std::optional(candidate_for->least) : std::nullopt,
              candidate_for ? std::optional(candidate_for->most) : std::nullopt, data_ratios_to_json(data), effort)
        .run();
    if (impl_->connection.changes() == 0) {
        throw DatabaseError(
            fmt::format("{}: measurement {} cannot win in sweep {} at n = {}, {}, {}: a winner is ok, of "
                        "the same device, problem, size and regime, and deterministic where that is "
                        "asked for",
                        impl_->file.string(), measurement, sweep, n, to_string(regime), to_string(determinism)));
    }
    set_winner_of_unit(impl_->connection.last_insert_rowid());
}

void Store::add_size_check(std::int64_t sweep, const SizeCheck& check) {
    impl_
        ->statement(
            "INSERT OR REPLACE INTO size_check "
            "SELECT sweep.device_id, sweep.problem_id, picked.regime_id, picked.n, picked.id, best.id, ?4 "
            "FROM sweep JOIN measurement AS picked ON picked.id = ?2 "
            "JOIN measurement AS best ON best.id = ?3 AND best.n = picked.n AND best.regime_id = picked.regime_id "
            "WHERE sweep.id = ?1")
        .bind(sweep, check.picked, check.best, check.expected_us)
        .run();
    if (impl_->connection.changes() == 0) {
        throw DatabaseError(fmt::format("{}: measurements {} and {} are not of the same size and regime",
                                        impl_->file.string(), check.picked, check.best));
    }
}

}  // namespace redtune::db
