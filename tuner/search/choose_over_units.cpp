#include "tuner/search/choose_over_units.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "tuner/search/choose.h"
#include "tuner/search/effort.h"

namespace redtune::search {

namespace {

/// A configuration that is a finalist on every unit.
struct Competitor {
    db::UnitFinalist finalist;    ///< on the unit that was measured last
    std::vector<DataRatio> data;  ///< for each kind of data, the largest ratio on a unit
    double worst_ratio = 0;       ///< the largest ratio on any unit and any kind of data
};

/// Adds the ratios of a finalist to those of the same configuration on other units.
void add_ratios(const db::UnitFinalist& finalist, Competitor& competitor) {
    for (const DataRatio& ratio : finalist.ratios) {
        competitor.worst_ratio = std::max(competitor.worst_ratio, *ratio.ratio);
        const auto known = std::find_if(competitor.data.begin(), competitor.data.end(),
                                        [&](const DataRatio& each) { return each.data == ratio.data; });
        if (known == competitor.data.end()) {
            competitor.data.push_back(ratio);
        } else {
            known->ratio = std::max(known->ratio, ratio.ratio);
        }
    }
}

/// Returns a finalist of the first unit with its ratios on all units; nullopt if it is not a finalist on every unit.
std::optional<Competitor> competitor(std::span<const db::UnitFinalists> units, const db::UnitFinalist& finalist) {
    Competitor made{finalist, {}, 0};
    for (const db::UnitFinalists& unit : units) {
        const auto found =
            std::find_if(unit.finalists.begin(), unit.finalists.end(),
                         [&](const db::UnitFinalist& each) { return each.configuration == finalist.configuration; });
        if (found == unit.finalists.end()) return std::nullopt;
        add_ratios(*found, made);
    }
    return made;
}

/// Returns the configurations that are finalists on every unit, in ascending order of their worst ratio.
std::vector<Competitor> competitors(std::span<const db::UnitFinalists> units) {
    std::vector<Competitor> common;
    for (const db::UnitFinalist& finalist : units.front().finalists) {
        if (auto made = competitor(units, finalist)) common.push_back(std::move(*made));
    }
    std::stable_sort(common.begin(), common.end(), [](const Competitor& a, const Competitor& b) {
        return std::tuple(a.worst_ratio, a.finalist.ratios.front().ratio) <
               std::tuple(b.worst_ratio, b.finalist.ratios.front().ratio);
    });
    return common;
}

/// Returns the effort of the unit that was searched least.
std::string least_effort(std::span<const db::UnitFinalists> units) {
    return std::ranges::min(units, {}, [](const db::UnitFinalists& unit) { return stored_effort(unit.effort); }).effort;
}

/// @param common the competitors, sorted by their worst ratio
db::WinnerOfUnits choose_among(const std::vector<Competitor>& common, std::span<const db::UnitFinalists> units) {
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
    chosen.units = static_cast<std::uint32_t>(units.size());
    chosen.spread = common[winner].worst_ratio;
    chosen.data = common[winner].data;
    chosen.effort = least_effort(units);
    return chosen;
}

}  // namespace

std::optional<db::WinnerOfUnits> choose_over_units(std::span<const db::UnitFinalists> units) {
    for (std::size_t count = units.size(); count > 1; --count) {
        const std::vector<Competitor> common = competitors(units.first(count));
        if (!common.empty()) return choose_among(common, units.first(count));
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
