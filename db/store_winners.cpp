#include <fmt/format.h>

#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "db/store.h"
#include "db/store_impl.h"
#include "db/stored_rows.h"
#include "tuner/core/complete.h"

namespace redtune::db {

namespace {

/// Returns the SQL of a query for winners.
/// @param rows a table or a subquery with the columns of the table `winner`
std::string select_winners(std::string_view condition, std::string_view rows = "winner") {
    return fmt::format(
        "SELECT {}, {}, {}, {} FROM {} AS winner JOIN measurement ON measurement.id = winner.measurement_id {} "
        "WHERE {} ORDER BY device.name, device.id, problem.id, winner.regime_id, winner.determinism, "
        "winner.n",
        problem_columns, winner_columns, device_columns, measurement_columns, rows, measurement_joins, condition);
}

/// SQL condition that selects the winners of a cell. The first three comparisons are true anyway, because a winner's
/// measurement is of its device, problem and regime; with them SQLite finds the winners by their key.
const std::string is_of_cell = fmt::format(
    "winner.device_id = device.id AND winner.problem_id = problem.id AND winner.regime_id = regime.id AND {} "
    "AND winner.n = ?13 AND regime.name = ?14 AND winner.determinism = ?15",
    is_subject);

/// Returns the SQL of a query for the winners' measurements and the columns of their FinalistKeys. A winner has a key
/// for each launch rule with which its parameters are stored: some families have other rules for large sizes than for
/// small.
std::string select_finalist_keys(std::string_view condition) {
    return fmt::format(
        "SELECT DISTINCT measurement.id, winner.device_id, winner.problem_id, measurement.regime_id, same.id, "
        "measurement.data_id "
        "FROM winner CROSS JOIN measurement ON measurement.id = winner.measurement_id "
        "CROSS JOIN configuration AS own ON own.id = measurement.configuration_id "
        "CROSS JOIN configuration AS same ON (same.family_id, same.parameters) = (own.family_id, own.parameters) "
        "WHERE {}",
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

/// The ids of device, problem, regime, configuration and data, which a winner and its finalist_times have in common.
using FinalistKey = std::array<std::int64_t, 5>;

/// Reads the columns 1 to 5 of a statement's row.
FinalistKey read_finalist_key(const Statement& row) {
    return {row.integer(1), row.integer(2), row.integer(3), row.integer(4), row.integer(5)};
}

/// Sets StoredWinner::finalist_times.
/// @param keys a query of select_finalist_keys()
/// @param times a query of select_finalists()
void add_finalist_times(std::vector<StoredWinner>& winners, Statement& keys, Statement& times) {
    std::unordered_multimap<std::int64_t, StoredWinner*> by_measurement;
    for (StoredWinner& winner : winners) by_measurement.emplace(winner.measurement.id, &winner);
    std::map<FinalistKey, std::vector<StoredWinner*>> by_key;
    while (keys.step()) {
        const auto [first, last] = by_measurement.equal_range(keys.integer(0));
        for (auto entry = first; entry != last; ++entry) by_key[read_finalist_key(keys)].push_back(entry->second);
    }
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

std::vector<StoredWinner> Store::winners() const {
    const ReadTransaction transaction(impl_->connection);
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
    const ReadTransaction transaction(impl_->connection);
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
    // The counts have the sizes of each sweep, so that the index finds the finalists of a size among all candidates.
    Statement times = prepare(
        select_finalists("sweep CROSS JOIN measurement_count AS counted ON counted.sweep_id = sweep.id "
                         "CROSS JOIN measurement AS finalist ON (finalist.sweep_id, finalist.regime_id, finalist.n) = "
                         "(counted.sweep_id, counted.regime_id, counted.n)",
                         "sweep.device_id = ?1 AND sweep.problem_id = ?2 AND counted.regime_id = ?3 AND ?4 <> ''"));
    add_finalist_times(winners, keys, times);
    return winners;
}

std::vector<WinnerGroup> Store::winner_groups(const std::optional<Problem>& only_problem) const {
    const ReadTransaction transaction(impl_->connection);
    const auto devices = read_by_id("device", device_columns, read_device, impl_->connection, impl_->file);
    const auto problems = read_by_id("problem", problem_columns, read_problem, impl_->connection, impl_->file);
    const auto regimes = read_by_id(
        "regime", "regime.name", [](Row& row) { return parse_regime(row.text()); }, impl_->connection, impl_->file);
    // EXISTS seeks in the primary key and ends at the first row with this determinism. GROUP BY would read all winners.
    constexpr std::string_view exists =
        "EXISTS (SELECT 1 FROM winner WHERE winner.device_id = swept.device_id "
        "AND winner.problem_id = swept.problem_id AND winner.regime_id = regime.id AND winner.determinism = '{}')";
    constexpr std::string_view all_swept = "SELECT DISTINCT device_id, problem_id FROM sweep";
    // The first winner of each device keeps the device known.
    constexpr std::string_view some_swept =
        "SELECT device_id, problem_id FROM sweep WHERE problem_id IN (SELECT id FROM problem WHERE op = ?1 AND "
        "input_type = ?2) "
        "UNION SELECT id, (SELECT problem_id FROM winner WHERE device_id = device.id LIMIT 1) FROM device";
    Statement rows = impl_->connection.prepare(fmt::format(
        "SELECT swept.device_id, swept.problem_id, regime.id, {}, {} FROM ({}) AS swept "
        "JOIN device ON device.id = swept.device_id JOIN problem ON problem.id = swept.problem_id CROSS JOIN regime",
        fmt::format(exists, to_string(Determinism::any)), fmt::format(exists, to_string(Determinism::run_to_run)),
        only_problem ? some_swept : all_swept));
    if (only_problem) rows.bind(only_problem->op, to_string(only_problem->input));
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

std::optional<StoredWinner> Store::winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                          Regime regime, Determinism determinism) const {
    static const std::string sql = select_winners(is_of_cell);
    Statement& statement = impl_->statement(sql);
    bind_device_and_problem(statement, device, problem, n, to_string(regime), to_string(determinism));
    std::vector<StoredWinner> found = read_winners(statement, *impl_);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

std::optional<StoredWinner> Store::unit_winner(const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                                               Regime regime, Determinism determinism) const {
    static const std::string sql =
        select_winners(fmt::format("{} AND coalesce(device_unit.uuid, '') = ?16", is_of_cell),
                       "(SELECT *, 1 AS units, NULL AS spread FROM unit_winner)");
    Statement& statement = impl_->statement(sql);
    bind_device_and_problem(statement, device, problem, n, to_string(regime), to_string(determinism), device.uuid);
    std::vector<StoredWinner> found = read_winners(statement, *impl_);
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

}  // namespace redtune::db
