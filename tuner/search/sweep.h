#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/store.h"
#include "tuner/search/effort.h"
#include "tuner/search/executor.h"
#include "tuner/search/screening.h"

namespace redtune::search {

/// What to tune.
struct SweepRequest {
    Problem problem;
    std::vector<std::uint64_t> sizes;
    std::vector<Regime> regimes;
    bool resume = true;   ///< keep what the database has, measure what is missing
    std::string command;  ///< kept with the sweep
    /// Families to measure; of others, what the database has still takes part. Empty: all.
    std::vector<std::string> only = {};
    Effort effort = Effort::exhaustive;
};

/// One size in one regime.
struct Cell {
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::vector<Trial> trials;
    std::size_t stored = 0;   ///< of the trials, screened already
    std::size_t failed = 0;   ///< of these
    bool is_decided = false;  ///< has a winner that all trials took part in; with quick effort, all that were screened
    bool is_whole = true;     ///< all trials are screened
    double estimate_s = 0;    ///< for what is still to be done; compiling not counted
};

/// What a sweep will do.
struct SweepPlan {
    std::vector<Cell> cells;
    std::size_t candidates = 0;  ///< over all cells
    std::size_t stored = 0;
    std::size_t compiles = 0;  ///< distinct kernels of candidates still to be screened
    double estimate_s = 0;     ///< for what is still to be done

    bool is_done() const;
};

/// Where a sweep stands, for a progress line.
struct SweepProgress {
    enum class Phase : std::uint8_t { compile, measure, cell_done } phase = Phase::measure;
    PrepareProgress compile;
    std::size_t done = 0;  ///< screenings done or stored
    std::size_t total = 0;
    std::size_t failed = 0;
    std::size_t stopped_early = 0;
    std::size_t pruned = 0;
    const Cell* cell = nullptr;
    std::string best;  ///< best configuration of the cell so far
    double best_us = 0;
    double remaining_s = 0;
};

struct SweepResult {
    bool interrupted = false;
    std::size_t measured = 0;       ///< measurements taken now
    std::size_t failed = 0;         ///< candidates that failed now or before
    std::size_t screened = 0;       ///< of the measurements taken now, screenings
    std::size_t stopped_early = 0;  ///< of these, stopped early
    std::size_t pruned = 0;         ///< candidates that were left out for their least time
    std::size_t without_winner = 0;
};

/// Tunes a problem on one device: screens the candidates of each size, times the survivors longer, lets the last few
/// meet in interleaved rounds. Every measurement is in the database before the next begins.
class Sweep {
  public:
    /// The families must outlive the sweep.
    /// @throws InputError for a size that the executor refuses.
    Sweep(Executor& executor, db::Store& store, const std::vector<Family>& families, SweepRequest request);

    const SweepPlan& plan() const { return plan_; }

    /// Does what the plan says. `stop` ends it after the measurement under way; nothing is lost.
    /// @throws DeviceError if the device is lost; the candidate that lost it is stored as failed.
    SweepResult run(const std::function<void(const SweepProgress&)>& progress, const std::atomic<bool>& stop);

  private:
    /// What the database holds of each trial of a cell at one stage; empty where it must be measured.
    using Known = std::vector<std::optional<db::StoredMeasurement>>;

    void make_plan();
    void leave_out_unasked(Cell& cell) const;
    Known known(const Cell& cell, Stage stage) const;
    bool is_decided(const Cell& cell, const Known& screened) const;
    void prepare();
    void run_cell(const Cell& cell);
    bool is_anchor(const Cell& cell) const;
    bool is_known_elsewhere(const Cell& cell) const;
    Prior prior(const Cell& cell) const;
    bool screen(const Cell& cell, Known& screened);
    bool is_pruned(const Cell& cell, const Trial& trial, double best_us) const;
    bool measure_stage(const Cell& cell, std::span<const std::size_t> members, Stage stage, Known& known,
                       std::vector<bool>* pruned = nullptr);
    void decide(const Cell& cell, std::span<const std::size_t> finalists);
    std::int64_t record(const Cell& cell, const Trial& trial, const Measurement& measurement);
    void report(SweepProgress progress) const;

    Executor& executor_;
    db::Store& store_;
    const std::vector<Family>& families_;
    SweepRequest request_;
    SweepPlan plan_;
    SweepResult result_;
    std::function<void(const SweepProgress&)> progress_;
    const std::atomic<bool>* stop_ = nullptr;
    std::int64_t sweep_ = 0;    ///< the database's id of the run under way
    std::size_t screened_ = 0;  ///< candidates screened now or before
    double remaining_s_ = 0;    ///< estimate of what is left of the plan
};

}  // namespace redtune::search
