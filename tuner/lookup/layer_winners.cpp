#include "tuner/lookup/layer_winners.h"

#include <utility>

#include "tuner/lookup/snapshot.h"

namespace redtune::lookup {

namespace {

/// Returns whether Store::winners() lists the winners next to each other because they are of one group.
bool is_same_group(const db::StoredWinner& a, const db::StoredWinner& b) {
    return is_same_chip(a.device, b.device) && a.problem == b.problem && a.regime == b.regime;
}

}  // namespace

std::vector<LayerWinners> group_winners(std::vector<db::StoredWinner> winners) {
    std::vector<LayerWinners> groups;
    for (std::size_t first = 0, end = 0; first < winners.size(); first = end) {
        const auto group = std::make_shared<std::vector<db::StoredWinner>>();
        const Subject subject{winners[first].device, winners[first].problem, winners[first].regime};
        group->push_back(std::move(winners[first]));
        for (end = first + 1; end < winners.size() && is_same_group(winners[end], group->front()); ++end) {
            group->push_back(std::move(winners[end]));
        }
        groups.push_back({subject, [group] { return *group; }});
    }
    return groups;
}

std::vector<LayerWinners> winners_on_demand(const std::shared_ptr<const db::Store>& store,
                                            const std::optional<Problem>& only_problem) {
    std::vector<LayerWinners> groups;
    for (db::WinnerGroup& group : store->winner_groups(only_problem)) {
        Subject subject{group.device, group.problem, group.regime};
        groups.push_back({std::move(subject), [store, group = std::move(group)] { return store->winners(group); }});
    }
    return groups;
}

}  // namespace redtune::lookup
