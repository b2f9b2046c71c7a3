#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "db/store.h"
#include "tuner/core/family.h"
#include "tuner/core/measurement.h"
#include "tuner/search/executor.h"
#include "tuner/search/prior.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// A measurement that the database has.
struct Recorded {
    std::int64_t id = 0;
    Measurement measurement;
};

/// For each trial of a cell, its measurement at one stage; empty where it must be measured.
using RecordedStage = std::vector<std::optional<Recorded>>;

/// Answers what the database knows of the cells of a sweep. All arguments must outlive it.
class History {
  public:
    History(const db::Store& store, const Executor& executor, const std::vector<Family>& families,
            const SweepRequest& request)
        : store_(store), executor_(executor), families_(families), request_(request) {}

    /// Returns the newest measurements with today's code, launch rules and toolchain; none if the request says to
    /// measure everything again.
    RecordedStage recorded(const Cell& cell, Stage stage) const;

    /// Returns whether the cell has a winner of today's code that is newer than all these screenings. With quick effort
    /// a part of the trials is enough.
    bool is_decided(const Cell& cell, const RecordedStage& screened) const;

    /// Returns whether the cell was measured for a similar problem, or for this one with other code.
    bool is_known_elsewhere(const Cell& cell) const;

    /// Returns what did well in this cell for similar problems or with other code, and in the nearest measured cells.
    Prior prior(const Cell& cell) const;

  private:
    std::vector<db::StoredMeasurement> measurements(const Problem& problem, const CellKey& cell) const;
    std::vector<Problem> similar() const;

    const db::Store& store_;
    const Executor& executor_;
    const std::vector<Family>& families_;
    const SweepRequest& request_;
};

}  // namespace redtune::search
