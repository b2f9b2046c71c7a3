#include "redtune/reducer.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tests/needs_gpu/repetitions.h"
#include "tuner/gpu/buffer.h"
#include "tuner/gpu/graph.h"

namespace redtune {
namespace {

using test_support::LoadedCandidates;

/// Calls of a reducer whose results are compared with the expected ones on the host.
class CheckedCalls {
  public:
    CheckedCalls(const Problem& problem, LoadedCandidates& values, std::uint64_t n, std::uint64_t offset)
        : n_(n),
          input_(values.inputs().exact(offset)),
          expected_(bytes_of(values.inputs().expected_exact(offset, n), problem, n)),
          output_(expected_.size()) {
        output_.fill(0xab);
    }

    CallStatus enqueue(Reducer& reducer, CUstream stream) {
        const auto pointer = [](std::uint64_t address) { return reinterpret_cast<const void*>(address); };
        return reducer.reduce({pointer(input_.first), pointer(input_.second)}, n_,
                              reinterpret_cast<void*>(output_.address()), stream);
    }

    /// Returns whether the last result is right. The stream must be done.
    bool is_right() const { return bytes_of(output_, expected_.size()) == expected_; }

  private:
    static std::string bytes_of(const gpu::DeviceBuffer& buffer, std::size_t size) {
        std::string bytes(size, '\0');
        buffer.copy_to_host(bytes.data(), size);
        return bytes;
    }
    static std::string bytes_of(const gpu::DeviceBuffer& buffer, const Problem& problem, std::uint64_t n) {
        return bytes_of(buffer, result_count(problem, n) * size_of(problem.output));
    }

    std::uint64_t n_;
    launch::InputArrays input_;
    std::string expected_;
    gpu::DeviceBuffer output_;
};

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
        const std::uint64_t unit = std::max<std::uint64_t>(1, problem.row_length);
        for (const std::uint64_t size : {1U, 1000U, 4097U, 65'537U, 557'516U, 1'048'579U}) {
            const std::uint64_t n = std::max(unit, size / unit * unit);
            if (n > values.inputs().exact_n() - 1) continue;
            for (const std::uint64_t offset : {0U, 1U}) {
                CheckedCalls calls(problem, values, n, offset);
                for (int i = 0; i < 2; ++i) {
                    ASSERT_EQ(calls.enqueue(reducer, values.stream().handle()), CallStatus::ok) << last_error();
                }
                values.stream().synchronize();
                EXPECT_TRUE(calls.is_right()) << problem.op << " of " << to_string(problem.input) << ", "
                                              << shape_name(problem) << ", n = " << n << ", offset " << offset;
            }
        }
    }
}

TEST_F(ReducerOnGpu, ThreadsWithTheirOwnStreamsGetRightResults) {
    constexpr std::uint64_t most = 1 << 20;
    sum_.prepare(1, most);
    std::vector<std::unique_ptr<CheckedCalls>> calls;
    for (std::uint64_t i = 0; i < 16; ++i) {
        calls.push_back(std::make_unique<CheckedCalls>(problem_, values_, most * (i + 1) / 16 - i, i % 4));
    }
    std::vector<std::thread> threads;
    const std::uint64_t repetitions = test_support::repetitions(1);
    for (std::unique_ptr<CheckedCalls>& own : calls) {
        threads.emplace_back([&] {
            const gpu::Context context(0);
            const gpu::Stream stream;
            for (std::uint64_t i = 1; i <= repetitions; ++i) {
                ASSERT_EQ(own->enqueue(sum_, stream.handle()), CallStatus::ok) << last_error();
                if (i % 1000 != 0) continue;
                stream.synchronize();
                ASSERT_TRUE(own->is_right());
            }
            stream.synchronize();
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
        calls.push_back(std::make_unique<CheckedCalls>(problem_, values_, 20'000 * i + 1, i % 4));
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
    for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_TRUE(calls[i]->is_right()) << "graph " << i;
}

TEST_F(ReducerOnGpu, CallsWithThePoolKeepTheMemoryOfTheDevice) {
    sum_.prepare(1 << 20);
    CheckedCalls calls(problem_, values_, 1 << 20, 0);
    ASSERT_EQ(calls.enqueue(sum_, nullptr), CallStatus::ok);
    gpu::synchronize(nullptr);
    const std::size_t before = gpu::memory_info().free_bytes;
    for (std::uint64_t i = 1; i <= test_support::repetitions(10); ++i) {
        ASSERT_EQ(calls.enqueue(sum_, nullptr), CallStatus::ok) << last_error();
        if (i % 1000 == 0) gpu::synchronize(nullptr);
    }
    gpu::synchronize(nullptr);
    EXPECT_TRUE(calls.is_right());
    EXPECT_EQ(gpu::memory_info().free_bytes, before);
}

TEST_F(ReducerOnGpu, EveryFinishIsRightThroughThePool) {
    CheckedCalls calls(problem_, values_, 1 << 20, 0);
    for (const char* finish : {"two_kernel", "dependent", "ticket", "publish", "atomic", "packed"}) {
        sum_.pin("tile_per_block", {{"block", std::int64_t{128}},
                                    {"unroll", std::int64_t{4}},
                                    {"vector_bytes", std::int64_t{16}},
                                    {"finish", std::string(finish)}});
        for (std::uint64_t i = 1; i <= test_support::repetitions(1); ++i) {
            ASSERT_EQ(calls.enqueue(sum_, nullptr), CallStatus::ok) << last_error();
            if (i % 1000 != 0) continue;
            gpu::synchronize(nullptr);
            ASSERT_TRUE(calls.is_right()) << finish;
        }
        gpu::synchronize(nullptr);
        EXPECT_TRUE(calls.is_right()) << finish;
    }
}

}  // namespace
}  // namespace redtune
