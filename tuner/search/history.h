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

/// A measurement in the database, with its id.
struct Recorded {
    std::int64_t id = 0;
    Measurement measurement;
};

/// The measurement of each trial of a cell at one stage; empty for a trial that is not measured yet.
using RecordedStage = std::vector<std::optional<Recorded>>;

/// Reads earlier measurements of the cells of a sweep from the database. All arguments must outlive it.
class History {
  public:
    History(const db::Store& store, const Executor& executor, const std::vector<Family>& families,
            const SweepRequest& request)
        : store_(store), executor_(executor), families_(families), request_(request) {}

    /// Returns each trial's newest measurement with the current code, launch rules and toolchain; none if the request
    /// says to measure everything again. All are on the request's first data.
    RecordedStage recorded(const Cell& cell, Stage stage) const;

    /// Returns whether the cell has a winner that was measured with the current code, was compared on the request's
    /// data, and is newer than all these screenings. Quick effort does not require that every trial is screened.
    bool is_decided(const Cell& cell, const RecordedStage& screened) const;

    /// Returns whether the database has measurements of this size and regime for a similar problem, or for this problem
    /// with other code.
    bool is_known_elsewhere(const Cell& cell) const;

    /// Returns the configurations that did well in this cell with any code, in the nearest measured cells of this
    /// problem, and in the same cell of similar problems.
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
