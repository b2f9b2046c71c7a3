// The one-launch finishes, again and again: a hand-over between blocks that is wrong once in a million is wrong.

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/gpu/loaded_candidates.h"
#include "tuner/bench/workspace.h"
#include "tuner/core/size_list.h"
#include "tuner/gpu/graph.h"

namespace redtune {
namespace {

constexpr std::uint64_t batch = 1000;

/// $REDTUNE_REPETITIONS, else few enough for a quick run.
std::uint64_t repetitions() {
    const char* text = std::getenv("REDTUNE_REPETITIONS");
    return text != nullptr ? parse_size(text) : 5 * batch;
}

/// Calls on one stream with a workspace of its own, whose results are kept for a batch.
class Lane {
  public:
    Lane(test_support::LoadedCandidates& loaded, const bench::Runnable& runnable, std::uint64_t n)
        : loaded_(loaded),
          runnable_(runnable),
          n_(n),
          plan_(make_plan(runnable.rule, n)),
          outputs_(batch * sizeof(std::uint32_t)) {
        workspace_.prepare(plan_, stream_.handle());
        stream_.synchronize();
    }

    /// Queues a batch of calls.
    void queue(CUstream stream) {
        for (std::uint64_t i = 0; i < batch; ++i) {
            bench::enqueue(runnable_, plan_, loaded_.inputs().exact(), outputs_.address() + i * sizeof(std::uint32_t),
                           workspace_.address(), stream);
        }
    }
    void queue() {
        outputs_.fill(bench::poison_byte, stream_.handle());
        queue(stream_.handle());
    }

    /// Waits for the batch. @return empty, or what is wrong with its results
    std::optional<std::string> wrong() {
        stream_.synchronize();
        const CUdeviceptr expected = loaded_.inputs().expected_exact(0, n_).address();
        return loaded_.kernels().judge({outputs_.address(), 1, batch, expected, 1, 1, {}}, stream_.handle());
    }

    gpu::Stream& stream() { return stream_; }
    gpu::DeviceBuffer& outputs() { return outputs_; }

  private:
    test_support::LoadedCandidates& loaded_;
    bench::Runnable runnable_;
    std::uint64_t n_;
    LaunchPlan plan_;
    gpu::Stream stream_;
    bench::Workspace workspace_;
    gpu::DeviceBuffer outputs_;
};

class Repetition : public ::testing::TestWithParam<std::tuple<std::string, std::uint64_t>> {
  protected:
    /// The finish at this size, with two blocks per SM where there are tiles enough.
    bench::Runnable runnable() {
        const auto& [finish, n] = GetParam();
        for (const search::Trial& trial : loaded_.trials(n)) {
            const Configuration& configuration = trial.candidate.configuration;
            const auto is = [&](const char* name, const Value& value) {
                const Value* found = configuration.find(name);
                return found != nullptr && *found == value;
            };
            if (configuration.family == "stream" && is("finish", finish) && is("block", std::int64_t{256}) &&
                is("unroll", std::int64_t{4}) && is("vector_bytes", std::int64_t{16}) &&
                (trial.candidate.rule.blocks_per_sm == 2 || n < (1 << 21))) {
                return loaded_.load(trial);
            }
        }
        throw std::logic_error("no such candidate");
    }
    std::uint64_t n() const { return std::get<1>(GetParam()); }

    test_support::LoadedCandidates loaded_{make_problem("sum", Type::f32)};
};

TEST_P(Repetition, OnOneStream) {
    Lane lane(loaded_, runnable(), n());
    for (std::uint64_t done = 0; done < repetitions(); done += batch) {
        lane.queue();
        ASSERT_EQ(lane.wrong().value_or(""), "") << "after " << done;
    }
}

TEST_P(Repetition, OnTwoStreamsAtOnce) {
    const bench::Runnable both = runnable();
    Lane first(loaded_, both, n());
    Lane second(loaded_, both, n());
    for (std::uint64_t done = 0; done < repetitions(); done += 2 * batch) {
        first.queue();
        second.queue();
        ASSERT_EQ(first.wrong().value_or("") + second.wrong().value_or(""), "") << "after " << done;
    }
}

TEST_P(Repetition, InGraphReplays) {
    Lane lane(loaded_, runnable(), n());
    gpu::Graph graph = gpu::Graph::capture(lane.stream(), [&](CUstream stream) { lane.queue(stream); });
    for (std::uint64_t done = 0; done < repetitions(); done += batch) {
        lane.outputs().fill(bench::poison_byte, lane.stream().handle());
        graph.launch(lane.stream());
        ASSERT_EQ(lane.wrong().value_or(""), "") << "after " << done;
    }
}

INSTANTIATE_TEST_SUITE_P(Finish, Repetition,
                         ::testing::Combine(::testing::Values("publish", "ticket"),
                                            ::testing::Values(1U << 16, 1U << 18, 1U << 20, 1U << 22, 1U << 24)),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_" + format_size(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace redtune
