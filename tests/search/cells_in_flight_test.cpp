// Sweeps that search several cells at a time on one unit.
#include "tuner/search/cells_in_flight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "db/connection.h"
#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

using testing::Each;
using testing::IsEmpty;

/// What was compiled and measured on all units.
struct Events {
    std::mutex mutex;
    std::condition_variable changed;
    int measurements = 0;
    int comparisons = 0;
    int compiler_calls = 0;
    std::map<int, int> compilations;  ///< how often each kernel was compiled, which its block size identifies
    std::uint64_t first_n = 0;        ///< the size that was measured first
};

/// An executor that compiles beside its measurements.
class OverlappingExecutor : public FakeExecutor {
  public:
    explicit OverlappingExecutor(Events& events) : events_(events) {}

    class Compiler : public FakeExecutor {
      public:
        explicit Compiler(OverlappingExecutor& owner) : owner_(owner) {}
        void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                     const std::atomic<bool>&) override {
            owner_.compile(trials);
            progress({trials.size(), trials.size(), 0, 0});
        }

      private:
        OverlappingExecutor& owner_;
    };

    std::size_t most_compilers() const override { return compilers; }
    std::unique_ptr<Executor> make_compiler() override { return std::make_unique<Compiler>(*this); }
    void warm_up() override { ++warm_ups; }
    bool offers(const Trial& trial, std::uint64_t n, Regime) const override {
        return !has_kernels_of_small_sizes || (n < 1 << 21) == (trial.rule.block < 128);
    }

    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override {
        {
            std::unique_lock lock(events_.mutex);
            waited_in_vain |= !events_.changed.wait_for(lock, std::chrono::minutes(1),
                                                        [&] { return events_.compilations.size() >= awaited_kernels; });
            if (events_.measurements++ == 0) events_.first_n = n;
            if (!events_.compilations.contains(trial.rule.block)) {
                not_compiled.insert(to_string(trial.configuration));
            }
        }
        events_.changed.notify_all();
        threads.insert(std::this_thread::get_id());
        return FakeExecutor::measure(trial, n, regime, stage, best_us);
    }

    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override {
        {
            const std::lock_guard lock(events_.mutex);
            ++events_.comparisons;
        }
        events_.changed.notify_all();
        return FakeExecutor::compare(trials, n, regime, rounds);
    }

    int warm_ups = 0;
    std::size_t compilers = 2;
    std::size_t awaited_kernels = 0;  ///< a measurement waits until so many are compiled
    bool waited_in_vain = false;
    std::set<std::string> not_compiled;  ///< configurations that no compiler had compiled when they were measured
    std::set<std::thread::id> threads;   ///< the threads that measured
    int held_up_call = 0;  ///< this call of a compiler, counted from 1, is held up until something is measured
    bool has_kernels_of_small_sizes = false;  ///< small sizes have other kernels than large ones
    bool was_measured_meanwhile = false;
    std::optional<std::uint32_t> held_up_kernel;  ///< the call that compiles it is held up until trials are compared
    bool were_compared_meanwhile = false;

  private:
    void compile(std::span<const Trial> trials) {
        std::unique_lock lock(events_.mutex);
        for (const Trial& trial : trials) ++events_.compilations[trial.rule.block];
        events_.changed.notify_all();
        const auto is_held_up = [&](const Trial& trial) { return trial.rule.block == held_up_kernel; };
        if (std::ranges::any_of(trials, is_held_up)) {
            were_compared_meanwhile =
                events_.changed.wait_for(lock, std::chrono::minutes(1), [&] { return events_.comparisons != 0; });
        }
        if (++events_.compiler_calls != held_up_call) return;
        was_measured_meanwhile =
            events_.changed.wait_for(lock, std::chrono::minutes(1), [&] { return events_.measurements != 0; });
    }

    Events& events_;
};

TEST(SpreadOrder, BeginsWithCellsThatAreFarApart) {
    EXPECT_THAT(spread_order(7, 3), testing::ElementsAre(6, 3, 0, 4, 1, 5, 2));
    EXPECT_THAT(spread_order(3, 1), testing::ElementsAre(0, 1, 2)) << "one at a time: in their order";
    EXPECT_THAT(spread_order(3, 6), testing::ElementsAre(2, 1, 0));
    EXPECT_THAT(spread_order(0, 6), testing::IsEmpty());
}

TEST(CompilersOfAGpu, GpusShareTheCores) {
    EXPECT_EQ(compilers_of_a_gpu(8, 1), 8U);
    EXPECT_EQ(compilers_of_a_gpu(16, 2), 8U);
    EXPECT_EQ(compilers_of_a_gpu(2, 8), 1U);
    EXPECT_EQ(compilers_of_a_gpu(96, 1), 16U) << "more would only take memory";
}

class CellsInFlightTest : public SweepTest {
  protected:
    CellsInFlightTest() {
        for (std::uint64_t n = 1 << 18; n <= 1 << 24; n *= 2) request_.sizes.push_back(n);
        request_.effort = Effort::quick;
    }

    /// @param blocks_per_sm the values with which each kernel is launched
    void search_all_of_one_size_with_28_kernels(const std::string& blocks_per_sm) {
        search_one_size_with_28_kernels(blocks_per_sm);
        request_.effort = Effort::exhaustive;
    }
    void search_one_size_with_28_kernels(const std::string& blocks_per_sm) {
        std::string front = front_matter;
        const std::string blocks = "32, 64, 128, 256";
        std::string more = blocks;
        for (int block = 288; block <= 1024; block += 32) more += ", " + std::to_string(block);
        front.replace(front.find(blocks), blocks.size(), more);
        front.replace(front.find("1, 2"), 4, blocks_per_sm);
        families_ = {parse_families("fake.cuh", front).front()};
        families_[0].code_hash = "hash";
        request_.sizes = {1 << 18};
    }

    /// Returns the kernel that is compiled last for the trials that the search of the only cell asks for at first.
    std::uint32_t last_kernel_of_first_batch() {
        const SweepPlan plan = Sweep(overlapping_, store_, families_, request_).plan();
        const Cell& cell = plan.cells.front();
        std::set<std::uint32_t> kernels;
        std::uint32_t last = 0;
        for (const std::size_t i : make_strategy(request_, {cell, families_, Prior()})->next()) {
            const std::uint32_t kernel = cell.trials[i].rule.block;
            if (kernels.insert(kernel).second) last = kernel;
        }
        return last;
    }

    SweepResult run() { return Sweep(overlapping_, store_, families_, request_).run({}, stop_); }
    std::int64_t count(const std::string& condition) {
        return store_.connection().value("SELECT count(*) FROM measurements WHERE " + condition);
    }
    std::vector<std::string> winners() {
        std::vector<std::string> winners;
        for (const std::uint64_t n : request_.sizes) winners.push_back(winner(n));
        return winners;
    }

    Events events_;
    OverlappingExecutor overlapping_{events_};
    SweepRequest request_{make_problem("sum", Type::f32), {}, {Regime::cold}, true, "test"};
};

TEST_F(CellsInFlightTest, WhileOneCellIsCompiledAnotherIsMeasured) {
    overlapping_.held_up_call = 1;
    overlapping_.has_kernels_of_small_sizes = true;
    run();
    EXPECT_TRUE(overlapping_.was_measured_meanwhile);
}

TEST_F(CellsInFlightTest, EverySizeGetsItsWinnerAndNothingIsLeft) {
    const SweepResult result = run();
    EXPECT_THAT(winners(), Each("fake(block=128, blocks_per_sm=2)"));
    EXPECT_EQ(result.without_winner, 0U);
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(run().measured, 0U);
}

TEST_F(CellsInFlightTest, OneThreadMeasuresWhatWasCompiled) {
    run();
    EXPECT_THAT(overlapping_.threads, testing::ElementsAre(std::this_thread::get_id()));
    EXPECT_THAT(overlapping_.not_compiled, IsEmpty());
    EXPECT_EQ(overlapping_.warm_ups, 1);
}

TEST_F(CellsInFlightTest, EachKernelIsCompiledOnce) {
    using testing::Pair;
    run();
    EXPECT_THAT(events_.compilations, testing::ElementsAre(Pair(32, 1), Pair(64, 1), Pair(128, 1), Pair(256, 1)));
}

TEST_F(CellsInFlightTest, AnExhaustiveSearchBeginsWithTheLargestCells) {
    request_.effort = Effort::exhaustive;
    request_.gpus = 100;  // two cells at a time
    run();
    EXPECT_GE(events_.first_n, request_.sizes[request_.sizes.size() - 2]);
    EXPECT_THAT(winners(), Each("fake(block=128, blocks_per_sm=2)"));
}

TEST_F(CellsInFlightTest, WhileACellIsCompiledItsCompiledTrialsAreScreened) {
    search_all_of_one_size_with_28_kernels("2");
    overlapping_.held_up_call = 2;  // of the first batch: so many kernels are not compiled in one call
    EXPECT_EQ(run().screened, 28U);
    EXPECT_TRUE(overlapping_.was_measured_meanwhile);
    EXPECT_THAT(overlapping_.not_compiled, IsEmpty());
    EXPECT_EQ(count("stage = 'screen'"), 28);
}

TEST_F(CellsInFlightTest, ASearchThatHasScreenedEnoughWaitsForNoMoreKernels) {
    search_one_size_with_28_kernels("1, 2, 3, 4, 5, 6, 7, 8");
    overlapping_.held_up_kernel = last_kernel_of_first_batch();
    run();
    EXPECT_TRUE(overlapping_.were_compared_meanwhile);
    EXPECT_NE(winner(request_.sizes.front()), "");
}

TEST_F(CellsInFlightTest, AnExhaustiveSearchCompilesAheadOfItsMeasurements) {
    search_all_of_one_size_with_28_kernels("1, 2");
    overlapping_.awaited_kernels = 28;
    EXPECT_EQ(run().screened, 56U);
    EXPECT_FALSE(overlapping_.waited_in_vain);
    EXPECT_THAT(overlapping_.not_compiled, IsEmpty());
}

TEST_F(CellsInFlightTest, NoCandidateIsScreenedTwice) {
    run();
    EXPECT_EQ(count("stage = 'screen'"), static_cast<std::int64_t>(8 * request_.sizes.size()));
}

TEST_F(CellsInFlightTest, CellsDoNotDisturbEachOthersData) {
    request_.data = {timing::data_of(timing::DataKind::uniform), timing::data_of(timing::DataKind::normal)};
    run();
    EXPECT_EQ(count("stage <> 'final' AND data <> 'uniform'"), 0);
    EXPECT_EQ(count("stage = 'final' AND data = 'normal'"), count("stage = 'final' AND data = 'uniform'"));
    EXPECT_GT(count("stage = 'final' AND data = 'normal'"), 0);
}

TEST_F(CellsInFlightTest, ALostDeviceEndsTheSweepAndFailsOneTrial) {
    overlapping_.loses_device = "fake(block=64, blocks_per_sm=2)";
    EXPECT_THROW(run(), DeviceError);
    EXPECT_EQ(count("status <> 'ok'"), 1);
}

/// Two units that compile beside their measurements.
class CellsInFlightOfTwoUnits : public CellsInFlightTest {
  protected:
    CellsInFlightOfTwoUnits() {
        overlapping_.use_unit("GPU-0");
        other_.use_unit("GPU-1");
    }
    SweepResult run_both() {
        const std::vector<Executor*> units{&overlapping_, &other_};
        return Sweep(units, store_, families_, request_, turn_).run({}, stop_);
    }
    std::size_t units_of_winner(std::uint64_t n) {
        return store_.winner(overlapping_.device(), request_.problem, n, Regime::cold, Determinism::any)->units;
    }

    OverlappingExecutor other_{events_};
    std::mutex turn_;
};

TEST_F(CellsInFlightOfTwoUnits, EachSizeIsSearchedByOneAndConfirmedByTheOther) {
    const SweepResult result = run_both();
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(result.without_winner, 0U);
    EXPECT_EQ(count("stage = 'screen'"), static_cast<std::int64_t>(8 * request_.sizes.size()));
    for (const std::uint64_t n : request_.sizes) EXPECT_EQ(units_of_winner(n), 2U) << n;
    for (const OverlappingExecutor* unit : {&overlapping_, &other_}) {
        EXPECT_THAT(unit->threads, testing::SizeIs(1));
        EXPECT_THAT(unit->not_compiled, IsEmpty());
        EXPECT_EQ(unit->warm_ups, 1);
    }
    EXPECT_EQ(run_both().measured, 0U);
}

TEST_F(CellsInFlightOfTwoUnits, TheOtherOneEndsTheWorkOfALostUnit) {
    other_.loses_device = "fake(block=64, blocks_per_sm=2)";
    const SweepResult result = run_both();
    EXPECT_LE(result.lost_units, 1U);  // none, if the first unit was done before the other one began
    for (const std::uint64_t n : request_.sizes) EXPECT_NE(winner(n), "") << n;
    EXPECT_FALSE(result.interrupted);
}

TEST_F(CellsInFlightOfTwoUnits, IfOneCannotCompileBesideBothCompileFirst) {
    FakeExecutor plain;
    plain.use_unit("GPU-2");
    const std::vector<Executor*> units{&overlapping_, &plain};
    EXPECT_EQ(Sweep(units, store_, families_, request_, turn_).plan().cells_in_flight, 1U);
}

TEST_F(CellsInFlightTest, AnInterruptedSweepIsContinued) {
    overlapping_.stop = &stop_;
    overlapping_.stop_after = 20;
    EXPECT_TRUE(run().interrupted);
    const std::int64_t before = count("1");
    EXPECT_GE(before, 20);
    overlapping_.stop_after = 0;
    stop_ = false;
    EXPECT_FALSE(run().interrupted);
    EXPECT_THAT(winners(), Each("fake(block=128, blocks_per_sm=2)"));
}

TEST_F(CellsInFlightTest, TheTimeAfterTheFirstKernelIsCounted) {
    const SweepTiming timing = run().timing;
    EXPECT_GT(timing.after_first_kernel_s, 0);
    EXPECT_GT(timing.gpu_busy_s(), 0);
    EXPECT_GT(timing.compiled_kernels, 0U);
}

TEST_F(CellsInFlightTest, ThePlanSaysHowManyCells) {
    const auto cells_in_flight = [&] {
        return Sweep(overlapping_, store_, families_, request_).plan().cells_in_flight;
    };
    for (int exponent = 11; exponent < 18; ++exponent) request_.sizes.push_back(std::uint64_t{1} << exponent);
    EXPECT_EQ(cells_in_flight(), most_cells_in_flight(request_.effort));
    request_.gpus = 2;
    EXPECT_EQ(cells_in_flight(), 6U);
    request_.gpus = 5;
    EXPECT_EQ(cells_in_flight(), 3U) << "GPUs share the cores";
    request_.gpus = 100;
    EXPECT_EQ(cells_in_flight(), 2U);
    request_.gpus = 1;
    request_.effort = Effort::exhaustive;
    EXPECT_EQ(cells_in_flight(), most_cells_in_flight(request_.effort));
    request_.gpus = 2;
    EXPECT_EQ(cells_in_flight(), 3U) << "GPUs wait less for the last cells of another";
    request_.gpus = 1;
    request_.sizes = {1 << 18, 1 << 19};
    EXPECT_EQ(cells_in_flight(), 2U);
}

}  // namespace
}  // namespace redtune::search
