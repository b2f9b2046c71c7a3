#include "tuner/search/suggestions.h"

#include <algorithm>
#include <array>
#include <string>

#include "tuner/core/complete.h"

namespace redtune::search {

std::optional<Catalog> open_catalog(const std::filesystem::path& database,
                                    const std::function<void(const DatabaseError&)>& report) {
    try {
        return Catalog::open(
            {.user_database = database, .system_data = std::nullopt, .read_user_winners_on_demand = true});
    } catch (const DatabaseError& error) {
        if (report) report(error);
        return std::nullopt;
    }
}

std::vector<std::size_t> Suggestions::of(const Cell& cell, std::span<const Family> families) const {
    const Selector* selector = selector_of(cell.regime);
    if (selector == nullptr) return {};
    const std::uint64_t unit = shape_of(problem_).unit();
    const std::uint64_t units = cell.n / unit;
    std::vector<std::size_t> suggested;
    for (const std::uint64_t near : std::array{units, 2 * units, units / 2, 4 * units, units / 4}) {
        const std::optional<Match> match = near == 0 ? std::nullopt : selector->find(near * unit);
        if (!match) continue;
        const Configuration picked = complete(
            Configuration{std::string(match->family), {match->parameters.begin(), match->parameters.end()}}, families);
        const auto trial = std::ranges::find(cell.trials, picked, &Trial::configuration);
        const auto index = static_cast<std::size_t>(trial - cell.trials.begin());
        const bool is_new = std::ranges::find(suggested, index) == suggested.end();
        if (trial != cell.trials.end() && is_new) suggested.push_back(index);
    }
    return suggested;
}

/// Returns the selector of a regime, which is made at the first call; null if there is nothing to select from.
const Selector* Suggestions::selector_of(Regime regime) const {
    if (catalog_ == nullptr) return nullptr;
    const auto found = selectors_.find(regime);
    if (found != selectors_.end()) return &found->second;
    try {
        return &selectors_.emplace(regime, catalog_->select(problem_, device_, {.regime = regime})).first->second;
    } catch (const DatabaseError&) {
        return nullptr;
    }
}

}  // namespace redtune::search
