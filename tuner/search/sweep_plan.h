#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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
    /// Names of the families to measure; empty: all families. Trials of other families take part if the database has
    /// their screenings.
    std::vector<std::string> only = {};
    Effort effort = Effort::exhaustive;
    /// Names of families that the executor must be able to measure, in addition to those of `only`.
    std::vector<std::string> required = {};
    std::size_t between = 0;  ///< sizes to tune between neighbouring sizes, for each factor of 2 (between_stage.h)
    std::size_t checks = 0;   ///< sizes at which look-ups are compared with a search (size_check_stage.h)
    /// The data on which finalists are compared. Everything before the comparison is measured on the first one.
    std::vector<timing::Data> data = {timing::Data()};
};

/// One size in one regime.
struct Cell {
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::vector<Trial> trials;
    std::size_t stored = 0;   ///< trials whose screening the database has
    std::size_t failed = 0;   ///< stored trials that failed
    bool is_decided = false;  ///< needs no measurement: it has a winner that was chosen among all screened trials
    bool is_anchor = false;   ///< is measured before all other cells, so that their priors contain its results
    bool is_whole = true;     ///< all trials are to be screened, not only a sample
    double estimate_s = 0;    ///< seconds for the missing measurements, without compilation
};

/// The cells that a sweep will measure, and what remains to be done.
struct SweepPlan {
    std::vector<Cell> cells;
    std::size_t candidates = 0;  ///< trials of all cells
    std::size_t stored = 0;      ///< trials whose screening the database has
    std::size_t compiles = 0;    ///< distinct kernels of trials that are not stored
    double estimate_s = 0;       ///< seconds for all missing measurements and compilations

    bool is_done() const;
};

}  // namespace redtune::search
