#include "redtune/reducer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <mutex>
#include <random>
#include <thread>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tests/needs_gpu/repetitions.h"
#include "tests/support/host_reference.h"
#include "tuner/gpu/buffer.h"
#include "tuner/gpu/graph.h"
#include "tuner/timing/tolerance.h"

namespace redtune {
namespace {

using test_support::LoadedCandidates;

using test_support::batch;

/// Calls of a reducer on one input. The results of up to `batch` calls are kept and judged together.
class CheckedCalls {
  public:
    CheckedCalls(LoadedCandidates& values, std::uint64_t n, std::uint64_t offset)
        : values_(values),
          n_(n),
          count_(result_count(values.problem(), n)),
          input_(values.inputs().exact(offset)),
          expected_(values.kernels().reference({input_, 0, 1, n}, values.stream().handle())),
          outputs_(count_ == 1 ? batch * result_bytes() : count_ * result_bytes()) {
        outputs_.fill(poison);
    }

    /// Makes a call. At most `batch` calls may follow each other without what_is_wrong(); of rows only one.
    CallStatus enqueue(Reducer& reducer, CUstream stream) {
        const auto pointer = [](std::uint64_t address) { return reinterpret_cast<void*>(address); };
        plan_ = reducer.configuration(n_)->plan;
        return reducer.reduce({pointer(input_.first), pointer(input_.second)}, n_,
                              pointer(outputs_.address() + made_++ * count_ * result_bytes()), stream);
    }

    /// Judges the results of the calls since the last judgement, and forgets them. Their stream must be done. Returns
    /// what is wrong; empty if nothing is.
    std::string what_is_wrong() {
        static std::mutex mutex;
        const std::lock_guard lock(mutex);
        const auto wrong = values_.kernels().judge({outputs_.address(), count_, made_, expected_.address(), 1, count_,
                                                    timing::exact_tolerance(values_.problem(), plan_)},
                                                   values_.stream().handle());
        made_ = 0;
        outputs_.fill(poison);
        return wrong.value_or("");
    }

    /// Judges the one result that a graph writes again and again.
    std::string what_is_wrong_with_the_graph() {
        made_ = 1;
        return what_is_wrong();
    }

  private:
    static constexpr std::uint8_t poison = 0xab;

    std::uint64_t result_bytes() const { return size_of(values_.problem().output); }

    LoadedCandidates& values_;
    std::uint64_t n_;
    std::uint64_t count_;
    launch::InputArrays input_;
    gpu::DeviceBuffer expected_;
    gpu::DeviceBuffer outputs_;
    LaunchPlan plan_;
    std::uint64_t made_ = 0;
};

/// Returns the resident memory of this process in bytes.
std::uint64_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total_pages = 0;
    std::uint64_t resident_pages = 0;
    statm >> total_pages >> resident_pages;
    return resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// The values of sums of f32.
class ReducerOnGpu : public testing::Test {
  protected:
    Problem problem_ = make_problem("sum", Type::f32);
    LoadedCandidates values_{problem_};
    Reducer sum_{problem_};
};

TEST(ReducerProblemsOnGpu, EveryTunedProblemIsRightAtAnySize) {
    const Catalog catalog = Catalog::open();
    const std::string device = gpu::device_at(0).info.name;
    for (const Problem& problem : catalog.problems(device)) {
        if (problem.destructive) continue;
        LoadedCandidates values(problem, 1 << 21);
        Reducer reducer(problem);
        const std::uint64_t unit = shape_of(problem).unit();
        for (const std::uint64_t size : {1U, 1000U, 4097U, 65'537U, 557'516U, 1'048'579U}) {
            const std::uint64_t n = std::max(unit, size / unit * unit);
            if (n > values.inputs().exact_n() - 1) continue;
            for (const std::uint64_t offset : {0U, 1U}) {
                CheckedCalls calls(values, n, offset);
                for (int i = 0; i < 2; ++i) {
                    ASSERT_EQ(calls.enqueue(reducer, values.stream().handle()), CallStatus::ok) << last_error();
                    values.stream().synchronize();
                    EXPECT_EQ(calls.what_is_wrong(), "") << problem.op << " of " << to_string(problem.input) << ", "
                                                         << shape_name(problem) << ", n = " << n << " + " << offset;
                }
            }
        }
    }
}

TEST(ReducerProblemsOnGpu, TheMiddleOfThreeExtentsIsRight) {
    for (const Extents& extents : {Extents{1, 10'000, 64}, Extents{16, 100, 100}, Extents{1000, 7, 31},
                                   Extents{3, 0, 8}, Extents{5, 70'001, 3}}) {
        for (const char* op : {"sum", "argmax"}) {
            Problem problem = make_problem(op, Type::i32);
            problem.columns = extents.inner;
            const gpu::Context context(0);
            std::vector<std::int32_t> values(extents.n());
            for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i * 2654435761U);
            const auto expected = test_support::host_results(problem, values.data(), nullptr, extents);
            gpu::DeviceBuffer input(std::max<std::uint64_t>(4, values.size() * 4));
            if (!values.empty()) input.copy_from_host(values.data(), values.size() * 4);
            const std::uint64_t bytes = size_of(problem.output);
            gpu::DeviceBuffer output(extents.results() * bytes);
            Reducer reducer(problem);
            ASSERT_EQ(reducer.reduce(reinterpret_cast<const void*>(input.address()), extents,
                                     reinterpret_cast<void*>(output.address()), nullptr),
                      CallStatus::ok)
                << last_error();
            gpu::synchronize(nullptr);
            for (std::uint64_t i = 0; i < extents.results(); ++i) {
                std::uint64_t got = 0;
                output.copy_to_host(&got, bytes, i * bytes);
                ASSERT_EQ(test_support::judge(problem, expected[i], got), "")
                    << op << " " << extents.outer << " x " << extents.reduced << " x " << extents.inner << ", " << i;
            }
        }
    }
}

TEST_F(ReducerOnGpu, ThreadsWithTheirOwnStreamsGetRightResults) {
    constexpr std::uint64_t most = 1 << 20;
    sum_.prepare(1, most);
    std::vector<std::unique_ptr<CheckedCalls>> calls;
    for (std::uint64_t i = 0; i < 16; ++i) {
        calls.push_back(std::make_unique<CheckedCalls>(values_, most * (i + 1) / 16 - i, i % 4));
    }
    std::vector<std::thread> threads;
    const std::uint64_t repetitions = test_support::repetitions(1);
    for (std::unique_ptr<CheckedCalls>& own : calls) {
        threads.emplace_back([&] {
            const gpu::Context context(0);
            const gpu::Stream stream;
            for (std::uint64_t i = 1; i <= repetitions; ++i) {
                ASSERT_EQ(own->enqueue(sum_, stream.handle()), CallStatus::ok) << last_error();
                if (i % batch != 0 && i != repetitions) continue;
                stream.synchronize();
                ASSERT_EQ(own->what_is_wrong(), "");
            }
            sum_.release(stream.handle());
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TEST_F(ReducerOnGpu, FiftyGraphsLaunchedAtRandomAreRight) {
    ReducerOptions options;
    options.workspaces = 50;
    Reducer sum(problem_, options);
    sum.prepare(1, 1 << 20);
    std::vector<std::unique_ptr<CheckedCalls>> calls;
    std::vector<gpu::Graph> graphs;
    std::vector<std::unique_ptr<gpu::Stream>> streams;
    for (int i = 0; i < 4; ++i) streams.push_back(std::make_unique<gpu::Stream>());
    for (std::uint64_t i = 0; i < 50; ++i) {
        calls.push_back(std::make_unique<CheckedCalls>(values_, 20'000 * i + 1, i % 4));
        graphs.push_back(gpu::Graph::capture(*streams[0], [&](CUstream stream) {
            ASSERT_EQ(calls.back()->enqueue(sum, stream), CallStatus::ok) << last_error();
        }));
    }
    std::mt19937 random(1);
    for (std::uint64_t i = 0; i < test_support::repetitions(20); ++i) {
        graphs[random() % graphs.size()].launch(*streams[random() % streams.size()]);
    }
    for (std::size_t i = 0; i < graphs.size(); ++i) graphs[i].launch(*streams[i % streams.size()]);
    for (const auto& stream : streams) stream->synchronize();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        EXPECT_EQ(calls[i]->what_is_wrong_with_the_graph(), "") << "graph " << i;
    }
}

TEST_F(ReducerOnGpu, CallsWithThePoolTakeNoMoreMemory) {
    constexpr std::uint64_t host_noise_bytes = 1
                                               << 20;  // of the driver and the C library, however many calls there are
    sum_.prepare(1 << 20);
    CheckedCalls calls(values_, 1 << 20, 0);
    const auto repeat = [&](std::uint64_t repetitions) {
        for (std::uint64_t i = 1; i <= repetitions; ++i) {
            ASSERT_EQ(calls.enqueue(sum_, nullptr), CallStatus::ok) << last_error();
            if (i % batch != 0) continue;
            gpu::synchronize(nullptr);
            ASSERT_EQ(calls.what_is_wrong(), "");
        }
    };
    repeat(batch);
    const std::size_t device_before = gpu::memory_info().free_bytes;
    const std::uint64_t host_before = resident_bytes();
    repeat(test_support::repetitions(10));
    EXPECT_EQ(gpu::memory_info().free_bytes, device_before);
    EXPECT_LE(resident_bytes(), host_before + host_noise_bytes);
}

TEST_F(ReducerOnGpu, EveryFinishIsRightThroughThePool) {
    CheckedCalls calls(values_, 1 << 20, 0);
    for (const char* finish : {"two_kernel", "dependent", "ticket", "publish", "atomic", "packed"}) {
        sum_.pin("tile_per_block", {{"block", std::int64_t{128}},
                                    {"unroll", std::int64_t{4}},
                                    {"vector_bytes", std::int64_t{16}},
                                    {"finish", std::string(finish)}});
        for (std::uint64_t i = 1; i <= test_support::repetitions(1); ++i) {
            ASSERT_EQ(calls.enqueue(sum_, nullptr), CallStatus::ok) << last_error();
            if (i % batch != 0) continue;
            gpu::synchronize(nullptr);
            ASSERT_EQ(calls.what_is_wrong(), "") << finish;
        }
    }
}

}  // namespace
}  // namespace redtune
