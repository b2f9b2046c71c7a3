#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/core/trial.h"
#include "tuner/search/effort.h"

namespace redtune::search {

/// What to tune.
struct SweepRequest {
    Problem problem;
    std::vector<std::uint64_t> sizes;
    std::vector<Regime> regimes;
    bool resume = true;   ///< use what the database has, measure what is missing
    std::string command;  ///< the command line, stored with the sweep
    /// Names of the families to measure; trials of other families take part where the database has them. Empty: all.
    std::vector<std::string> only = {};
    Effort effort = Effort::exhaustive;
    /// Names of families that the executor must be able to measure; `only` is checked as well.
    std::vector<std::string> required = {};
};

/// One size in one regime.
struct Cell {
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::vector<Trial> trials;
    std::size_t stored = 0;   ///< trials whose screening the database has
    std::size_t failed = 0;   ///< stored trials that failed
    bool is_decided = false;  ///< has a winner that met every trial; with quick effort, every trial that was screened
    bool is_anchor = false;   ///< is measured before the cells that are not anchors
    bool is_whole = true;     ///< every trial is to be screened
    double estimate_s = 0;    ///< time for what is still to be measured, without compilation
};

/// What a sweep will do.
struct SweepPlan {
    std::vector<Cell> cells;
    std::size_t candidates = 0;  ///< trials of all cells
    std::size_t stored = 0;      ///< trials whose screening the database has
    std::size_t compiles = 0;    ///< distinct kernels of trials that are not stored
    double estimate_s = 0;       ///< time for what is still to be done

    bool is_done() const;
};

}  // namespace redtune::search
