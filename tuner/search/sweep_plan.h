#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "redtune/catalog.h"
#include "redtune/problem.h"
#include "tuner/core/trial.h"
#include "tuner/search/effort.h"
#include "tuner/timing/data.h"

namespace redtune::search {

/// A request to tune one problem.
struct SweepRequest {
    Problem problem;
    std::vector<std::uint64_t> sizes;
    std::vector<Regime> regimes;
    bool resume = true;   ///< true: measure only what the database does not have
    std::string command;  ///< the command line, stored with the sweep
    /// Names of the families to measure; empty: all families. Trials of other families compete too if their screenings
    /// are in the database.
    std::vector<std::string> only = {};
    Effort effort = Effort::exhaustive;
    /// Names of families that the executor must be able to measure, in addition to those of `only`.
    std::vector<std::string> required = {};
    std::size_t between = 0;  ///< number of sizes to tune between two neighbours, per factor of 2 (between_stage.h)
    std::size_t checks = 0;   ///< number of sizes at which look-ups are compared with a search (size_check_stage.h)
    /// The kinds of data on which finalists are compared. Everything before that is measured on the first one.
    std::vector<timing::Data> data = {timing::Data()};
    /// The strategy that searches the cells; nullopt: strategy_of() chooses it.
    std::optional<StrategyKind> strategy = std::nullopt;
    /// The time that the sweep may take (TimeBudget); nullopt: as long as it needs.
    std::optional<std::chrono::duration<double>> budget = std::nullopt;
    /// Number of GPUs that are measured at the same time. A sweep that is not alone compiles at low
    /// priority or before its measurements, so that it does not disturb those of the others.
    std::size_t gpus = 1;
    /// The winners among which look-ups pick the first candidates of a search (suggestions.h); null: the search begins
    /// without. The catalog must outlive the sweep.
    const Catalog* catalog = nullptr;
    /// Whether a search that does not resume replaces a winner that was found with more effort (History::effort()). If
    /// not, that winner stays, and the new one is not stored.
    bool less_effort_replaces = false;
    /// Whether Sweep::run() follows at once. Then the executors begin to acquire what measurements need while the sweep
    /// is planned.
    bool runs_at_once = false;
};

/// One size in one regime.
struct Cell {
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::vector<Trial> trials;
    /// If the trials are the finalists of other units only: the effort with which those were searched.
    std::optional<Effort> effort_elsewhere;
    bool is_known = false;    ///< a similar problem was tuned at this size and regime (History::knows_similar())
    std::size_t stored = 0;   ///< number of trials whose screening is in the database
    std::size_t failed = 0;   ///< number of stored trials that failed
    bool is_decided = false;  ///< the cell needs no measurement: its winner is up to date (History::is_decided())
    double estimate_s = 0;    ///< estimated seconds for the missing measurements, and for kernels compiled as needed
};

/// The cells that a sweep will measure, and what remains to be done.
struct SweepPlan {
    std::vector<Cell> cells;
    std::size_t candidates = 0;  ///< number of trials of all cells
    std::size_t stored = 0;      ///< number of trials whose screening is in the database
    std::size_t compiles = 0;    ///< the most kernels that will be compiled
    /// Whether the kernels are compiled when the search asks for them, and not all before the first measurement.
    bool compiles_as_needed = false;
    /// Whether a process of its own compiles kernels while others are measured (cells_in_flight.h).
    bool compiles_beside = false;
    /// The number of cells of a unit that are searched at a time; 1 unless compiles_beside.
    std::size_t cells_in_flight = 1;
    double compile_s = 0;   ///< estimated seconds for the kernels that are compiled before the first measurement
    double estimate_s = 0;  ///< estimated seconds for all missing measurements and compilations

    bool is_done() const;
};

}  // namespace redtune::search
