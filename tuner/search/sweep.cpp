#include "tuner/search/sweep.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "tuner/search/between_stage.h"
#include "tuner/search/cell_runner.h"
#include "tuner/search/cells_in_flight.h"
#include "tuner/search/confirmation.h"
#include "tuner/search/planner.h"
#include "tuner/search/sampling.h"
#include "tuner/search/size_check_stage.h"
#include "tuner/search/strategy.h"
#include "tuner/search/suggestions.h"
#include "tuner/search/time_model.h"
#include "tuner/search/turn_taking_executor.h"

namespace redtune::search {

namespace {

/// Timing the finalists of another unit takes about as long as this many screenings (measured on an H100).
constexpr double confirmation = 80;

/// The name of the list of the plan's cells.
const char* const requested_cells = "requested cells";

}  // namespace

/// One GPU.
struct Sweep::Unit {
    Unit(std::size_t its_number, Executor& its_executor, const db::Store& store, const std::vector<Family>& families,
         const SweepRequest& request)
        : number(its_number),
          executor(its_executor),
          history(store, executor, families, request, &clock.account()),
          suggestions(request.catalog, request.problem, executor.device()) {}

    std::size_t number;
    Executor& executor;
    SweepClock clock;
    History history;
    Suggestions suggestions;
    std::set<CellKey> decided;  ///< the cells of the plan that need no measurement on this unit

    /// Returns a function that tells whether a cell of the plan is decided.
    std::function<bool(const CellKey&)> is_decided() const {
        return [this](const CellKey& key) { return decided.contains(key); };
    }
};

/// The state that the units share while they measure. The turn guards it.
struct Sweep::Run {
    Run(const Sweep& sweep, const std::function<void(const SweepProgress&)>& show, const std::atomic<bool>& stop_flag)
        : progress(sweep.plan_, sweep.units_.size(), show),
          budget(sweep.request_.budget),
          stop(stop_flag),
          compile_queue(sweep.families_, sweep.cells_in_order()),
          division(sweep.units_.size(), [this] { return stop || failure; }) {}

    ProgressReporter progress;
    TimeBudget budget;
    const std::atomic<bool>& stop;
    CompileQueue compile_queue;
    Division division;
    std::set<std::string> passed;                 ///< SweepContext::passed
    std::vector<std::exception_ptr> losses;       ///< why units were lost
    std::exception_ptr failure;                   ///< an error that ends the work of all units
    std::map<CellKey, PrepareProgress> compiled;  ///< for each part of the kernels whose compilation has begun
};

Sweep::Sweep(Executor& executor, db::Store& store, const std::vector<Family>& families, SweepRequest request)
    : store_(store),
      families_(families),
      request_(std::move(request)),
      own_turn_(std::make_unique<std::mutex>()),
      turn_(*own_turn_) {
    units_.push_back(std::make_unique<Unit>(0, executor, store, families, request_));
    plan_for_all_units();
}

Sweep::Sweep(const std::vector<Executor*>& units, db::Store& store, const std::vector<Family>& families,
             SweepRequest request, std::mutex& turn)
    : store_(store), families_(families), request_(std::move(request)), turn_(turn) {
    for (Executor* executor : units) {
        units_.push_back(std::make_unique<Unit>(units_.size(), *executor, store, families, request_));
    }
    plan_for_all_units();
}

Sweep::~Sweep() = default;

void Sweep::plan_for_all_units() {
    Unit& first = *units_.front();
    for (const auto& unit : units_) check_request(unit->executor, request_);
    request_.gpus = std::max(request_.gpus, units_.size());
    const bool can_compile_beside =
        std::ranges::all_of(units_, [](const auto& unit) { return unit->executor.most_compilers() != 0; });
    const auto warm_up = [&] {
        if (!request_.runs_at_once) return;
        for (const auto& unit : units_) unit->executor.begin_warm_up();
    };
    plan_ = plan_sweep(first.executor, families_, request_, first.history, can_compile_beside, warm_up);
    double unit_s = 0;
    for (Cell& cell : plan_.cells) {
        std::size_t decided = 0;
        for (const auto& unit : units_) {
            const bool is_decided = unit == units_.front()
                                        ? cell.is_decided
                                        : unit->history.is_decided(cell, unit->history.recorded(cell, Stage::screen));
            if (is_decided) unit->decided.emplace(cell.n, cell.regime);
            decided += is_decided;
        }
        cell.is_decided = decided == units_.size();
        // One unit decides a cell that none has decided.
        const std::size_t confirmations = units_.size() - std::max<std::size_t>(decided, 1);
        if (decided != 0) cell.estimate_s = 0;
        cell.estimate_s += confirmation * static_cast<double>(confirmations) * first.executor.screening_seconds(cell.n);
        unit_s += cell.estimate_s;
    }
    plan_.estimate_s = unit_s / static_cast<double>(units_.size()) + plan_.compile_s;
}

bool Sweep::is_done() const {
    const Executor& executor = units_.front()->executor;
    return plan_.is_done() && !BetweenStage::has_work(executor, histories(), request_) &&
           !SizeCheckStage::has_work(executor, store_, families_, request_);
}

std::vector<const History*> Sweep::histories() const {
    std::vector<const History*> histories;
    for (const auto& unit : units_) histories.push_back(&unit->history);
    return histories;
}

SweepResult Sweep::run(const std::function<void(const SweepProgress&)>& show, const std::atomic<bool>& stop) {
    Run run(*this, show, stop);
    std::unique_lock turn(turn_);
    if (is_done()) return run.progress.result;
    if (units_.size() == 1) {
        run_unit(*units_.front(), run, turn);
    } else {
        turn.unlock();
        run_in_threads(run);
    }
    if (run.failure) std::rethrow_exception(run.failure);
    if (run.losses.size() == units_.size()) std::rethrow_exception(run.losses.front());
    SweepResult& result = run.progress.result;
    result.lost_units = run.losses.size();
    result.interrupted = result.interrupted || stop;
    result.out_of_time = run.budget.is_spent();
    return result;
}

void Sweep::run_in_threads(Run& run) {
    std::vector<std::thread> threads;
    for (const auto& unit : units_) {
        threads.emplace_back([this, &run, &unit = *unit] {
            std::unique_lock turn(turn_);
            run_or_lose_unit(unit, run, turn);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

/// Runs a unit among others, which go on if it is lost.
void Sweep::run_or_lose_unit(Unit& unit, Run& run, std::unique_lock<std::mutex>& turn) {
    try {
        run_unit(unit, run, turn);
    } catch (const DeviceError& error) {
        run.losses.push_back(std::current_exception());
        SweepProgress now;
        now.phase = SweepProgress::Phase::unit_lost;
        now.unit = unit.number;
        now.reason = error.what();
        run.progress.report(std::move(now));
    } catch (...) {
        run.failure = std::current_exception();
    }
}

void Sweep::run_unit(Unit& unit, Run& run, std::unique_lock<std::mutex>& turn) {
    TurnTakingExecutor executor(unit.executor, turn, unit.clock);
    Division::Member member(run.division, turn);
    SweepRecord record(store_, executor, families_, request_, &unit.clock.account());
    bool is_interrupted = false;
    try {
        run_stages({executor, request_, unit.history, record, run.progress, run.stop, member, run.budget, unit.number,
                    plan_.compiles_as_needed, &run.passed},
                   run, turn);
        executor.begin_finish();
    } catch (const Stopped&) {
        is_interrupted = true;
    }
    run.progress.result.timing += unit.clock.read(executor);
    is_interrupted = is_interrupted || member.is_over();
    run.progress.result.interrupted = run.progress.result.interrupted || is_interrupted;
    record.set_final_status(is_interrupted || run.budget.is_spent() ? "interrupted" : "finished");
}

void Sweep::run_stages(const SweepContext& context, Run& run, std::unique_lock<std::mutex>& turn) {
    if (!plan_.compiles_as_needed) prepare(context, run);
    context.executor.use_data(request_.data.front());
    if (plan_.compiles_beside) {
        Unit& unit = *units_[context.unit];
        context.division.begin(requested_cells, cells_in_order(), unit.is_decided());
        const std::size_t compilers = compilers_of_a_gpu(unit.executor.most_compilers(), request_.gpus);
        run_in_flight({plan_.cells_in_flight, compilers, trials_to_compile(context)}, unit.executor, turn, unit.clock,
                      run.compile_queue, context, [this](const SweepContext& in_flight) { run_cells(in_flight); });
    } else {
        run_cells(context);
    }
    BetweenStage(context, families_, request_, histories()).run();
    SizeCheckStage(context, store_, families_, request_).run();
}

/// Returns the cells of the plan in the order in which they are searched. An exhaustive search of several cells at a
/// time, which gains little from what is known of other cells, begins with the largest ones. They take the longest, so
/// there is much to measure while kernels are compiled, and all GPUs are done at about the same time.
std::vector<CellKey> Sweep::cells_in_order() const {
    std::vector<CellKey> keys;
    for (const std::size_t i : spread_order(plan_.cells.size(), plan_.cells_in_flight)) {
        keys.emplace_back(plan_.cells[i].n, plan_.cells[i].regime);
    }
    if (request_.effort == Effort::exhaustive && plan_.compiles_beside) {
        std::ranges::stable_sort(keys, std::greater(), &CellKey::first);
    }
    return keys;
}

/// Returns the trials of the cells of which every kernel will be needed, in the order in which a unit needs them.
std::vector<std::vector<Trial>> Sweep::trials_to_compile(const SweepContext& context) const {
    if (request_.effort != Effort::exhaustive) return {};
    const std::map<CellKey, const Cell*> cells = cells_by_key();
    std::vector<std::vector<Trial>> ordered;
    for (const CellKey& key : cells_in_order()) {
        const Cell& cell = *cells.at(key);
        if (!cell.is_decided) ordered.push_back(rotated<Trial>(cell.trials, begin_of_search(context)));
    }
    return ordered;
}

/// Returns CellKnowledge::begin of a unit.
double Sweep::begin_of_search(const SweepContext& context) const {
    return static_cast<double>(context.unit) / static_cast<double>(units_.size());
}

std::map<CellKey, const Cell*> Sweep::cells_by_key() const {
    std::map<CellKey, const Cell*> cells;
    for (const Cell& cell : plan_.cells) cells[{cell.n, cell.regime}] = &cell;
    return cells;
}

void Sweep::run_cells(const SweepContext& context) {
    const std::map<CellKey, const Cell*> cells = cells_by_key();
    const auto decide = [&](const CellKey& key) {
        // The strategy is created right before its cell, so that its prior includes the cells that this sweep has just
        // measured.
        const Cell& cell = *cells.at(key);
        const Prior prior = context.history.prior(cell);
        CellRunner runner(context, cell, context.effort());
        if (units_.size() > 1) runner.use_fewer_rounds();  // the other units confirm the cell
        CellKnowledge knowledge{cell, families_, prior};
        knowledge.suggested = units_[context.unit]->suggestions.of(cell, families_);
        knowledge.begin = begin_of_search(context);
        knowledge.has_kernels = [&runner](std::size_t i) { return runner.has_kernels(i); };
        std::unique_ptr<Strategy> strategy;
        context.executor.aside([&] {
            knowledge.likely = likely_trials(cell, context.executor.device(), request_.problem);
            runner.name_kernels();
            strategy = make_strategy(request_, knowledge);
        });
        runner.run(*strategy, context.budget.end_of_screening(context.division.share_left(requested_cells)));
    };
    const auto confirm_or_decide = [&](const CellKey& key) {
        if (!context.is_over() && !confirm(context, families_, key) && !context.is_over()) decide(key);
    };
    context.division.divide(requested_cells, cells_in_order(),
                            {units_[context.unit]->is_decided(), decide, confirm_or_decide,
                             [&](const CellKey& key) { return context.progress.estimate_left(key); }});
}

/// Compiles the kernels of the plan, each unit a part of them; the others then load this part from the cache.
void Sweep::prepare(const SweepContext& context, Run& run) {
    std::map<std::string, std::vector<Trial>> trials_of_kernel;
    for (const Cell& cell : plan_.cells) {
        if (cell.is_decided) continue;
        for (const Trial& trial : cell.trials) trials_of_kernel[kernel_of(trial, families_)].push_back(trial);
    }
    std::map<CellKey, std::vector<Trial>> parts;  // a part's number takes the place of a size
    std::size_t kernel = 0;
    for (auto& [name, trials] : trials_of_kernel) {
        std::vector<Trial>& part = parts[{kernel++ % units_.size(), Regime::cold}];
        std::ranges::move(trials, std::back_inserter(part));
    }
    std::vector<CellKey> keys;
    for (const auto& [key, trials] : parts) keys.push_back(key);
    const auto compile = [&](const CellKey& key) {
        const auto show = [&](const PrepareProgress& progress) {
            run.compiled[key] = progress;
            if (run.compiled.size() < parts.size()) return;  // the number of kernels is not known yet
            SweepProgress now;
            now.phase = SweepProgress::Phase::compile;
            for (const auto& [part, compiled] : run.compiled) now.compile += compiled;
            context.report(std::move(now));
        };
        context.executor.prepare(parts.at(key), show, context.stop);
        context.progress.take_from_estimate(plan_.compile_s);
    };
    const auto load = [&](const CellKey& key) { context.executor.prepare(parts.at(key), {}, context.stop); };
    context.division.divide("kernels", keys, {[](const CellKey&) { return false; }, compile, load});
}

}  // namespace redtune::search
