#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "db/store.h"
#include "redtune/problem.h"

namespace redtune::lookup {

/// Identifies tuned sizes: what they were tuned for.
struct Subject {
    DeviceInfo device;
    Problem problem;
    Regime regime = Regime::cold;
};

/// The winners of one layer for one device, problem and regime.
struct LayerWinners {
    Subject subject;
    /// Returns the winners. May be called repeatedly, but by one thread at a time.
    /// @throws DatabaseError if the database cannot be read
    std::function<std::vector<db::StoredWinner>()> read;
};

/// Groups winners that were already read.
std::vector<LayerWinners> group_winners(std::vector<db::StoredWinner> winners);

/// Returns the groups of a database's winners. Each LayerWinners::read queries the database, which must not change
/// meanwhile; all of them share the store.
/// @param only_problem as for Store::winner_groups()
std::vector<LayerWinners> winners_on_demand(const std::shared_ptr<const db::Store>& store,
                                            const std::optional<Problem>& only_problem);

}  // namespace redtune::lookup
