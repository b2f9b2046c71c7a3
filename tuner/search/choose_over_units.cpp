#include "tuner/search/choose_over_units.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "tuner/search/choose.h"

namespace redtune::search {

namespace {

/// A configuration that is a finalist on every unit.
struct Competitor {
    db::UnitFinalist finalist;  ///< on the unit that was measured last
    double worst_ratio = 0;     ///< largest, over the units, of its time / the best time on the unit
};

/// Returns the finalist with this configuration; null if there is none. If it was measured repeatedly, the latest.
const db::UnitFinalist* find_finalist(const db::UnitFinalists& unit, std::int64_t configuration) {
    const db::UnitFinalist* found = nullptr;
    for (const db::UnitFinalist& finalist : unit.finalists) {
        const bool is_newer = found == nullptr || found->measurement < finalist.measurement;
        if (finalist.configuration == configuration && is_newer) found = &finalist;
    }
    return found;
}

double best_time_us(const db::UnitFinalists& unit) {
    double best = unit.finalists.front().time_us;
    for (const db::UnitFinalist& finalist : unit.finalists) best = std::min(best, finalist.time_us);
    return best;
}

/// Returns the largest ratio of a configuration over the units; nullopt if it is not a finalist of all of them.
std::optional<double> worst_ratio(std::span<const db::UnitFinalists> units, std::int64_t configuration) {
    double worst = 0;
    for (const db::UnitFinalists& unit : units) {
        const db::UnitFinalist* finalist = find_finalist(unit, configuration);
        if (finalist == nullptr) return std::nullopt;
        worst = std::max(worst, finalist->time_us / best_time_us(unit));
    }
    return worst;
}

/// Returns the configurations that are finalists of every unit, the one with the least worst ratio first.
std::vector<Competitor> competitors(std::span<const db::UnitFinalists> units) {
    std::vector<Competitor> common;
    for (const db::UnitFinalist& finalist : units.front().finalists) {
        if (find_finalist(units.front(), finalist.configuration) != &finalist) continue;
        if (const auto ratio = worst_ratio(units, finalist.configuration)) common.push_back({finalist, *ratio});
    }
    std::stable_sort(common.begin(), common.end(),
                     [](const Competitor& a, const Competitor& b) { return a.worst_ratio < b.worst_ratio; });
    return common;
}

db::WinnerOfUnits choose_among(const std::vector<Competitor>& common, std::size_t units) {
    const auto cost = [](const Competitor& one) {
        return std::tuple(!one.finalist.deterministic, one.finalist.registers);
    };
    std::size_t winner = 0;
    for (std::size_t i = 1; i < common.size(); ++i) {
        const bool is_tied = common[i].worst_ratio <= common.front().worst_ratio * tie_ratio;
        if (is_tied && cost(common[i]) < cost(common[winner])) winner = i;
    }
    db::WinnerOfUnits chosen;
    chosen.measurement = common[winner].finalist.measurement;
    chosen.decided_by = common.size() == 1 ? "only candidate" : winner == 0 ? "worst unit" : "simplicity";
    if (common.size() > 1) {
        chosen.runner_up_ratio = common[winner == 0 ? 1 : 0].worst_ratio / common[winner].worst_ratio;
    }
    chosen.units = static_cast<std::uint32_t>(units);
    chosen.spread = common[winner].worst_ratio;
    return chosen;
}

}  // namespace

std::optional<db::WinnerOfUnits> choose_over_units(std::span<const db::UnitFinalists> units) {
    for (std::size_t count = units.size(); count > 1; --count) {
        const std::vector<Competitor> common = competitors(units.first(count));
        if (!common.empty()) return choose_among(common, count);
    }
    return std::nullopt;
}

void update_winner(db::Store& store, const db::WinnerKey& key) {
    const std::vector<db::UnitFinalists> units = store.finalists_of_units(key);
    if (units.empty()) return;
    if (const auto winner = choose_over_units(units)) {
        store.set_winner_of_units(key, *winner);
    } else {
        store.set_winner_of_unit(units.front().winner);
    }
}

void update_winners(db::Store& store) {
    store.in_transaction([&] {
        for (const db::WinnerKey& key : store.winner_keys()) update_winner(store, key);
    });
}

}  // namespace redtune::search
