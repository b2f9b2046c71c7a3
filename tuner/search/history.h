#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
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

/// The finalists of a cell on other units of the device.
struct FinalistsElsewhere {
    /// Those of the current code that are finalists on every other unit; none if there is no other unit. Only these can
    /// win on all units.
    std::vector<Configuration> common;
    /// The greatest effort with which any of the other units was searched; nullopt: not known, or less than quick.
    std::optional<Effort> effort;
};

/// The measurement of each trial of a cell at one stage; empty for a trial that is not measured yet.
using RecordedStage = std::vector<std::optional<Recorded>>;

/// Reads earlier measurements of the cells of a sweep from the database. All arguments must outlive it.
class History {
  public:
    /// @param account counts the time that is spent on the database; null: nothing does
    History(const db::Store& store, const Executor& executor, const std::vector<Family>& families,
            const SweepRequest& request, timing::TimeAccount* account = nullptr)
        : store_(store), executor_(executor), families_(families), request_(request), account_(account) {}

    /// Returns each trial's newest measurement with the current code, launch rules and toolchain; none if the request
    /// says to measure everything again. All measurements are on the request's first kind of data. Screenings on any
    /// unit of the device count; survivors and finalists count only if they were measured on the executor's unit.
    RecordedStage recorded(const Cell& cell, Stage stage) const;

    /// Returns for each trial whether it has failed in this cell with the current code and toolchain, at any stage and
    /// on any data: on the executor's unit, or with a harmful status (core/measurement.h) on any unit. None if the
    /// request says to measure everything again.
    std::vector<bool> failed_trials(const Cell& cell) const;

    FinalistsElsewhere finalists_of_other_units(const CellKey& cell) const;

    /// Returns whether the cell needs no further measurement: it has a winner on the executor's unit that was measured
    /// with the current code, was compared on the request's kinds of data, and is newer than all of `screened`. It must
    /// not be known that the winner was searched with less effort than the request's, unless that is limited to some
    /// families. As many trials must be screened as the request's effort needs; those that would be pruned are not
    /// needed.
    bool is_decided(const Cell& cell, const RecordedStage& screened) const;

    /// Returns the effort with which the cell was searched for its winner on the executor's unit; nullopt if it is not
    /// known, or if the winner is not of the current code and toolchain or was not compared on the request's kinds of
    /// data.
    std::optional<Effort> effort(const CellKey& cell) const;

    /// Returns the configuration that won a cell on the executor's unit; nullopt if there is no winner of the current
    /// code.
    std::optional<Configuration> winner(const CellKey& cell) const;

    /// Returns whether a cell has screenings of the current code, on any unit of the device.
    bool is_screened(const CellKey& cell) const;

    /// Returns the medians of the finalists of a cell on the executor's unit with the current code, by the text of the
    /// configuration. The newest measurement of each configuration counts.
    std::map<std::string, double> finalist_times_us(const CellKey& cell) const;

    /// Returns at most `most` configurations, the best first: those whose time as a survivor or finalist of a cell is
    /// at most `within` times the best time (1.05: 5 % slower). Measurements on the executor's unit with the current
    /// code count.
    std::vector<Configuration> near_best(const CellKey& cell, double within, std::size_t most) const;

    /// Returns whether the latest sweep of the problem finished; false if there is none.
    bool has_finished_sweep() const;

    /// Returns the configurations that did well in this cell with any code, in the nearest measured cells of this
    /// problem, and in the same cell of similar problems.
    Prior prior(const Cell& cell) const;
    /// Returns whether a problem from which prior() takes configurations has a winner in the cell.
    bool knows_similar(const CellKey& cell) const;

  private:
    std::vector<db::StoredMeasurement> measurements(const Problem& problem, const CellKey& cell,
                                                    db::MeasurementRule rule) const;
    std::optional<db::StoredWinner> comparable_winner(const CellKey& cell) const;
    std::vector<Problem> similar() const;
    std::size_t prunable(const Cell& cell, const RecordedStage& screened) const;
    bool is_current(const db::StoredMeasurement& entry) const;
    bool is_of_own_unit(const db::StoredMeasurement& entry) const { return entry.unit == executor_.device().uuid; }

    const db::Store& store_;
    const Executor& executor_;
    const std::vector<Family>& families_;
    const SweepRequest& request_;
    timing::TimeAccount* account_;
};

}  // namespace redtune::search
