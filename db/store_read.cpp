#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "db/data_ratios.h"
#include "db/samples.h"
#include "db/shape.h"
#include "db/store.h"
#include "db/store_impl.h"
#include "redtune/error.h"
#include "tuner/core/complete.h"

namespace redtune::db {

namespace {

/// Reads the columns of the statement's current row one after another.
class Row {
  public:
    explicit Row(const Statement& statement) : statement_(statement) {}

    std::string text() { return statement_.text(next_++); }
    double real() { return statement_.real(next_++); }
    template <class Integer = std::int64_t>
    Integer integer() {
        return static_cast<Integer>(statement_.integer(next_++));
    }
    std::optional<double> optional_real() { return skip_null() ? std::nullopt : std::optional(real()); }
    template <class Integer>
    std::optional<Integer> optional_integer() {
        return skip_null() ? std::nullopt : std::optional(integer<Integer>());
    }

  private:
    bool skip_null() {
        if (!statement_.is_null(next_)) return false;
        ++next_;
        return true;
    }

    const Statement& statement_;
    int next_ = 0;
};

// The function below each list of columns reads these columns in the same order.

constexpr std::string_view measurement_columns =
    "measurement.id, family.name, configuration.parameters, family.code_hash, configuration.launch_rule, "
    "configuration.deterministic, device_unit.uuid, measurement.n, regime.name, measurement.grid, measurement.block, "
    "status.name, stage.name, measurement.reason, measurement.samples, measurement.median_us, "
    "measurement.interquartile_us, measurement.rejected, measurement.calls_per_sample, "
    "measurement.floor_us, measurement.registers, measurement.shared_bytes, measurement.spill_bytes, "
    "measurement.sm_mhz, measurement.memory_mhz, measurement.temperature_c, measurement.power_w, "
    "measurement.throttle_reasons, strftime('%Y-%m-%dT%H:%M:%SZ', measurement.measured_at, 'unixepoch'), data.name";

StoredMeasurement read_measurement(Row& row) {
    StoredMeasurement stored;
    stored.id = row.integer();
    stored.configuration.family = row.text();
    stored.configuration.parameters = parameters_from_json(row.text());
    stored.code_hash = row.text();
    stored.rule = launch_rule_from_json(row.text());
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

constexpr std::string_view device_columns =
    "device.name, device.compute_major, device.compute_minor, device.sm_count, device.memory_bytes, device.l2_bytes, "
    "device.mig_profile, device.max_threads_per_sm, device.max_shared_bytes_per_block, device.peak_gb_per_s";

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

constexpr std::string_view problem_columns =
    "problem.op, problem.input_type, problem.accumulator_type, problem.output_type, problem.shape, "
    "problem.input_bytes";

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

constexpr std::string_view winner_columns =
    "winner.determinism, winner.n, regime.name, winner.decided_by, winner.runner_up_ratio, sweep.source, "
    "toolchain.redtune_version, toolchain.nvrtc_version, toolchain.driver_version, "
    "winner.units, winner.spread, winner.least_n, winner.most_n, winner.data_ratios";

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
    stored.device = read_device(row);
    stored.measurement = read_measurement(row);
    return stored;
}

constexpr std::string_view measurement_joins =
    "JOIN regime ON regime.id = measurement.regime_id JOIN stage ON stage.id = measurement.stage_id "
    "JOIN status ON status.id = measurement.status_id "
    "JOIN sweep ON sweep.id = measurement.sweep_id JOIN device ON device.id = sweep.device_id "
    "JOIN problem ON problem.id = sweep.problem_id JOIN toolchain ON toolchain.id = sweep.toolchain_id "
    "JOIN configuration ON configuration.id = measurement.configuration_id "
    "JOIN family ON family.id = configuration.family_id JOIN data ON data.id = measurement.data_id "
    "LEFT JOIN device_unit ON device_unit.id = sweep.device_unit_id";

/// SQL condition that selects a device. bind_device() binds its parameters ?1 to ?7.
constexpr std::string_view is_device =
    "device.name = ?1 AND device.compute_major = ?2 AND device.compute_minor = ?3 AND device.sm_count = ?4 "
    "AND device.memory_gib = ?5 AND device.l2_bytes = ?6 AND device.mig_profile = ?7";

template <class... More>
void bind_device(Statement& statement, const DeviceInfo& device, const More&... more) {
    statement.bind(device.name, device.compute_major, device.compute_minor, device.sm_count, device.memory_gib(),
                   device.l2_bytes, device.mig_profile, more...);
}

/// SQL condition that selects a device and a problem. bind_device_and_problem() binds its parameters ?1 to ?12.
const std::string is_subject = fmt::format(
    "{} AND problem.op = ?8 AND problem.input_type = ?9 AND problem.accumulator_type = ?10 "
    "AND problem.output_type = ?11 AND problem.shape = ?12",
    is_device);

template <class... More>
void bind_device_and_problem(Statement& statement, const DeviceInfo& device, const Problem& problem,
                             const More&... more) {
    bind_device(statement, device, problem.op, to_string(problem.input), to_string(problem.accumulator),
                to_string(problem.output), stored_shape(problem), more...);
}

/// Returns the list of read(row) for all rows of a statement.
/// @throws DatabaseError if the text of a row cannot be parsed
template <class Read>
auto read_all(Statement& statement, const std::filesystem::path& file, Read read) {
    std::vector<decltype(read(std::declval<Row&>()))> found;
    try {
        while (statement.step()) {
            Row row(statement);
            found.push_back(read(row));
        }
    } catch (const InputError& error) {
        throw DatabaseError(
            fmt::format("{} holds a row that this version cannot read: {}; was it written by a newer "
                        "redtune, or by hand?",
                        file.string(), error.what()));
    }
    return found;
}

/// Returns the SQL of a query for winners.
/// @param rows a table or a subquery with the columns of the table `winner`
std::string select_winners(std::string_view condition, std::string_view rows = "winner") {
    return fmt::format(
        "SELECT {}, {}, {}, {} FROM {} AS winner JOIN measurement ON measurement.id = winner.measurement_id {} "
        "WHERE {} ORDER BY device.name, device.id, problem.id, winner.regime_id, winner.determinism, "
        "winner.n",
        problem_columns, winner_columns, device_columns, measurement_columns, rows, measurement_joins, condition);
}

/// Returns the SQL of a query for the winners' measurements and the columns of their FinalistKey.
std::string select_finalist_keys(std::string_view condition) {
    return fmt::format(
        "SELECT measurement.id, winner.device_id, winner.problem_id, measurement.regime_id, "
        "measurement.configuration_id, measurement.data_id "
        "FROM winner CROSS JOIN measurement ON measurement.id = winner.measurement_id WHERE {}",
        condition);
}

/// Returns the SQL of a query for the sizes and times of finalists and the columns of their FinalistKey, the latest
/// first.
/// @param rows a join of the table `sweep` with the table `measurement` under the name `finalist`
std::string select_finalists(std::string_view rows, std::string_view condition) {
    // The stage must be a literal: only then can SQLite use the partial index.
    return fmt::format(
        "SELECT finalist.n, sweep.device_id, sweep.problem_id, finalist.regime_id, finalist.configuration_id, "
        "finalist.data_id, finalist.median_us FROM {} "
        "WHERE finalist.stage_id = 2 AND finalist.status_id = 0 AND {} ORDER BY finalist.id DESC",
        rows, condition);
}

/// The ids of device, problem, regime, configuration and data. A winner and its finalist_times have them in common.
using FinalistKey = std::array<std::int64_t, 5>;

/// Reads the columns 1 to 5 of a statement's row.
FinalistKey read_finalist_key(const Statement& row) {
    return {row.integer(1), row.integer(2), row.integer(3), row.integer(4), row.integer(5)};
}

/// Sets StoredWinner::finalist_times.
/// @param keys a query of select_finalist_keys()
/// @param times a query of select_finalists()
void add_finalist_times(std::vector<StoredWinner>& winners, Statement& keys, Statement& times) {
    std::unordered_map<std::int64_t, FinalistKey> key_of;
    while (keys.step()) key_of.emplace(keys.integer(0), read_finalist_key(keys));
    std::map<FinalistKey, std::vector<StoredWinner*>> by_key;
    for (StoredWinner& winner : winners) by_key[key_of.at(winner.measurement.id)].push_back(&winner);
    while (times.step()) {
        const auto found = by_key.find(read_finalist_key(times));
        if (found == by_key.end()) continue;
        const TimeAtSize time{static_cast<std::uint64_t>(times.integer(0)), times.real(6)};
        for (StoredWinner* winner : found->second) {
            const bool is_near = time.n >= winner->n / 4 && (time.n + 3) / 4 <= winner->n;
            if (is_near) winner->finalist_times.push_back(time);
        }
    }
}

/// Returns read(row) for all rows of a table, by their ids.
template <class Read>
auto read_by_id(std::string_view table, std::string_view columns, Read read, const Connection& connection,
                const std::filesystem::path& file) {
    Statement statement = connection.prepare(fmt::format("SELECT id, {} FROM {}", columns, table));
    const auto rows = read_all(statement, file, [&](Row& row) {
        const std::int64_t id = row.integer();
        return std::pair(id, read(row));
    });
    return std::unordered_map(rows.begin(), rows.end());
}

}  // namespace

std::vector<StoredWinner> Store::read_winners(Statement& statement, const Impl& impl) {
    std::vector<StoredWinner> found = read_all(statement, impl.file, read_winner);
    for (StoredWinner& winner : found) {
        winner.measurement.configuration = complete(winner.measurement.configuration, impl.families);
    }
    return found;
}

std::vector<StoredMeasurement> Store::measurements(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                                   Regime regime, const std::optional<ToolchainInfo>& toolchain) const {
    Statement statement = impl_->connection.prepare(fmt::format(
        "SELECT {} FROM measurement {} WHERE {} AND measurement.n = ?13 AND regime.name = ?14 AND (?15 IS NULL "
        "OR (toolchain.redtune_version = ?15 AND toolchain.nvrtc_version = ?16 AND toolchain.driver_version = ?17)) "
        "ORDER BY measurement.id",
        measurement_columns, measurement_joins, is_subject));
    if (toolchain) {
        bind_device_and_problem(statement, device, problem, n, to_string(regime), toolchain->redtune_version,
                                toolchain->nvrtc_version, toolchain->driver_version);
    } else {
        bind_device_and_problem(statement, device, problem, n, to_string(regime));
    }
    std::vector<StoredMeasurement> found = read_all(statement, impl_->file, read_measurement);
    for (StoredMeasurement& stored : found) stored.configuration = complete(stored.configuration, impl_->families);
    return found;
}

std::vector<StoredWinner> Store::winners() const {
    Statement rows = impl_->connection.prepare(select_winners("true"));
    std::vector<StoredWinner> winners = read_winners(rows, *impl_);
    Statement keys = impl_->connection.prepare(select_finalist_keys("true"));
    Statement times =
        impl_->connection.prepare(select_finalists("measurement AS finalist INDEXED BY finalist_by_configuration "
                                                   "CROSS JOIN sweep ON sweep.id = finalist.sweep_id",
                                                   "true"));
    add_finalist_times(winners, keys, times);
    return winners;
}

std::vector<StoredWinner> Store::winners(const WinnerGroup& group) const {
    const auto prepare = [&](const std::string& sql) {
        Statement statement = impl_->connection.prepare(sql);
        statement.bind(group.device_id, group.problem_id, group.regime_id, to_string(group.problem.determinism));
        return statement;
    };
    constexpr std::string_view is_in_group =
        "winner.device_id = ?1 AND winner.problem_id = ?2 AND winner.regime_id = ?3 AND winner.determinism = ?4";
    Statement rows = prepare(select_winners(is_in_group));
    std::vector<StoredWinner> winners = read_winners(rows, *impl_);
    Statement keys = prepare(select_finalist_keys(is_in_group));
    Statement times = prepare(
        select_finalists("sweep CROSS JOIN measurement AS finalist ON finalist.sweep_id = sweep.id",
                         "sweep.device_id = ?1 AND sweep.problem_id = ?2 AND finalist.regime_id = ?3 AND ?4 <> ''"));
    add_finalist_times(winners, keys, times);
    return winners;
}

std::vector<WinnerGroup> Store::winner_groups() const {
    const auto devices = read_by_id("device", device_columns, read_device, impl_->connection, impl_->file);
    const auto problems = read_by_id("problem", problem_columns, read_problem, impl_->connection, impl_->file);
    const auto regimes = read_by_id(
        "regime", "regime.name", [](Row& row) { return parse_regime(row.text()); }, impl_->connection, impl_->file);
    // EXISTS seeks in the primary key and ends at the first row with this determinism. GROUP BY would read all winners.
    constexpr std::string_view exists =
        "EXISTS (SELECT 1 FROM winner WHERE winner.device_id = swept.device_id "
        "AND winner.problem_id = swept.problem_id AND winner.regime_id = regime.id AND winner.determinism = '{}')";
    Statement rows = impl_->connection.prepare(fmt::format(
        "SELECT swept.device_id, swept.problem_id, regime.id, {}, {} "
        "FROM (SELECT DISTINCT device_id, problem_id FROM sweep) AS swept JOIN device ON device.id = swept.device_id "
        "JOIN problem ON problem.id = swept.problem_id CROSS JOIN regime",
        fmt::format(exists, to_string(Determinism::any)), fmt::format(exists, to_string(Determinism::run_to_run))));
    std::vector<WinnerGroup> groups;
    while (rows.step()) {
        WinnerGroup group;
        group.device_id = rows.integer(0);
        group.problem_id = rows.integer(1);
        group.regime_id = rows.integer(2);
        group.device = devices.at(group.device_id);
        group.problem = problems.at(group.problem_id);
        group.regime = regimes.at(group.regime_id);
        const auto add_if = [&](bool has_winners, Determinism determinism) {
            group.problem.determinism = determinism;
            if (has_winners) groups.push_back(group);
        };
        add_if(rows.integer(3) != 0, Determinism::any);
        add_if(rows.integer(4) != 0, Determinism::run_to_run);
    }
    return groups;
}

std::vector<std::uint64_t> Store::checked_sizes(const DeviceInfo& device, const Problem& problem, Regime regime) const {
    Statement statement = impl_->connection.prepare(fmt::format(
        "SELECT size_check.n FROM size_check JOIN device ON device.id = size_check.device_id "
        "JOIN problem ON problem.id = size_check.problem_id JOIN regime ON regime.id = size_check.regime_id "
        "WHERE {} AND regime.name = ?13 ORDER BY size_check.n",
        is_subject));
    bind_device_and_problem(statement, device, problem, to_string(regime));
    return read_all(statement, impl_->file, [](Row& row) { return row.integer<std::uint64_t>(); });
}

std::optional<MeasuredRegret> Store::regret(std::string_view device, const Problem& problem, Regime regime) const {
    Statement statement = impl_->connection.prepare(
        "SELECT regret FROM size_checks WHERE device = ?1 AND op = ?2 AND dtype = ?3 AND shape = ?4 AND regime = ?5 "
        "ORDER BY regret");
    statement.bind(device, problem.op, to_string(problem.input), stored_shape(problem), to_string(regime));
    const std::vector<double> regrets = read_all(statement, impl_->file, [](Row& row) { return row.real(); });
    if (regrets.empty()) return std::nullopt;
    return MeasuredRegret{regrets.size(), regrets[regrets.size() / 2], regrets.back()};
}

std::optional<StoredWinner> Store::winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                          Regime regime, Determinism determinism) const {
    Statement statement = impl_->connection.prepare(select_winners(
        fmt::format("{} AND winner.n = ?13 AND regime.name = ?14 AND winner.determinism = ?15", is_subject)));
    bind_device_and_problem(statement, device, problem, n, to_string(regime), to_string(determinism));
    std::vector<StoredWinner> found = read_winners(statement, *impl_);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

std::optional<StoredWinner> Store::unit_winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                               Regime regime, Determinism determinism) const {
    Statement statement = impl_->connection.prepare(
        select_winners(fmt::format("{} AND winner.n = ?13 AND regime.name = ?14 AND winner.determinism = ?15 "
                                   "AND coalesce(device_unit.uuid, '') = ?16",
                                   is_subject),
                       "(SELECT *, 1 AS units, NULL AS spread FROM unit_winner)"));
    bind_device_and_problem(statement, device, problem, n, to_string(regime), to_string(determinism), device.uuid);
    std::vector<StoredWinner> found = read_winners(statement, *impl_);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

std::vector<Problem> Store::problems(const DeviceInfo& device) const {
    Statement statement = impl_->connection.prepare(fmt::format(
        "SELECT {} FROM sweep JOIN device ON device.id = sweep.device_id JOIN problem ON problem.id = sweep.problem_id "
        "WHERE {} GROUP BY problem.id ORDER BY max(sweep.id) DESC",
        problem_columns, is_device));
    bind_device(statement, device);
    return read_all(statement, impl_->file, read_problem);
}

std::string Store::latest_sweep_status(const DeviceInfo& device, const Problem& problem) const {
    Statement statement = impl_->connection.prepare(
        fmt::format("SELECT sweep.status FROM sweep JOIN device ON device.id = sweep.device_id "
                    "JOIN problem ON problem.id = sweep.problem_id WHERE {} ORDER BY sweep.id DESC LIMIT 1",
                    is_subject));
    bind_device_and_problem(statement, device, problem);
    return statement.step() ? statement.text(0) : "";
}

std::vector<DeviceInfo> Store::devices() const {
    Statement statement =
        impl_->connection.prepare(fmt::format("SELECT {} FROM device ORDER BY name, id", device_columns));
    return read_all(statement, impl_->file, read_device);
}

std::vector<std::uint64_t> Store::recorded_sizes(const DeviceInfo& device, const Problem& problem, Regime regime,
                                                 std::optional<Stage> stage) const {
    Statement statement = impl_->connection.prepare(
        fmt::format("SELECT DISTINCT measurement.n FROM measurement JOIN sweep ON sweep.id = measurement.sweep_id "
                    "JOIN device ON device.id = sweep.device_id JOIN problem ON problem.id = sweep.problem_id "
                    "JOIN regime ON regime.id = measurement.regime_id JOIN stage ON stage.id = measurement.stage_id "
                    "WHERE {} AND regime.name = ?13 AND (?14 IS NULL OR stage.name = ?14) ORDER BY measurement.n",
                    is_subject));
    bind_device_and_problem(statement, device, problem, to_string(regime),
                            stage ? std::optional(to_string(*stage)) : std::nullopt);
    return read_all(statement, impl_->file, [](Row& row) { return row.integer<std::uint64_t>(); });
}

}  // namespace redtune::db
