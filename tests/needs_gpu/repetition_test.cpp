// Every finish, again and again: a hand-over between blocks that is wrong once in a million is wrong.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tests/needs_gpu/repetitions.h"
#include "tuner/core/size_list.h"
#include "tuner/gpu/graph.h"
#include "tuner/timing/workspace.h"

namespace redtune {
namespace {

using test_support::batch;

std::uint64_t repetitions() {
    return test_support::repetitions(5);
}

/// n elements and the one result that they have, as their references' type.
struct Example {
    std::uint64_t n;
    launch::InputArrays input;
    CUdeviceptr expected;
};

Example usual_example(test_support::LoadedCandidates& loaded, std::uint64_t n) {
    return {n, loaded.inputs().exact(), loaded.inputs().expected_exact(0, n).address()};
}

/// Calls on one stream with a workspace of its own, whose results are kept for a batch.
class Lane {
  public:
    Lane(test_support::LoadedCandidates& loaded, const launch::LoadedKernel& loaded_kernel, const Example& example)
        : loaded_(loaded),
          runnable_(loaded_kernel),
          example_(example),
          plan_(make_plan(loaded_kernel.rule, example.n)),
          output_bytes_(size_of(loaded.problem().output)),
          outputs_(batch * output_bytes_) {
        workspace_.prepare(plan_, stream_.handle());
        stream_.synchronize();
    }

    /// Queues a batch of calls.
    void queue(CUstream stream) {
        for (std::uint64_t i = 0; i < batch; ++i) {
            launch::enqueue(runnable_, plan_, example_.input, outputs_.address() + i * output_bytes_,
                            workspace_.address(), stream);
        }
    }
    void queue() {
        outputs_.fill(timing::poison_byte, stream_.handle());
        queue(stream_.handle());
    }

    /// Waits for the batch. @return empty, or what is wrong with its results
    std::optional<std::string> wrong() {
        stream_.synchronize();
        return loaded_.kernels().judge({outputs_.address(), 1, batch, example_.expected, 1, 1, {}}, stream_.handle());
    }

    gpu::Stream& stream() { return stream_; }
    gpu::DeviceBuffer& outputs() { return outputs_; }

  private:
    test_support::LoadedCandidates& loaded_;
    launch::LoadedKernel runnable_;
    Example example_;
    LaunchPlan plan_;
    gpu::Stream stream_;
    timing::Workspace workspace_;
    std::uint64_t output_bytes_;
    gpu::DeviceBuffer outputs_;
};

/// A way in which blocks hand over their values, and a size.
struct HandOver {
    std::string family;
    std::vector<Parameter> parameters;  ///< that the candidate has; of those that fit, the first is run
    std::uint64_t n;
    Type type = Type::f32;
};

launch::LoadedKernel load(test_support::LoadedCandidates& loaded, const HandOver& hand_over) {
    for (const Trial& trial : loaded.trials(hand_over.n)) {
        const Configuration& configuration = trial.configuration;
        const auto has = [&](const Parameter& wanted) {
            const Value* found = configuration.find(wanted.name);
            return found != nullptr && *found == wanted.value;
        };
        const std::vector<Parameter>& wanted = hand_over.parameters;
        if (configuration.family == hand_over.family && std::all_of(wanted.begin(), wanted.end(), has)) {
            return loaded.load(trial);
        }
    }
    throw std::logic_error("no such candidate");
}

class Repetition : public ::testing::TestWithParam<HandOver> {
  protected:
    launch::LoadedKernel loaded_kernel() { return load(loaded_, GetParam()); }

    test_support::LoadedCandidates loaded_{make_problem("sum", GetParam().type)};
    Example example_ = usual_example(loaded_, GetParam().n);
};

TEST_P(Repetition, OnOneStream) {
    Lane lane(loaded_, loaded_kernel(), example_);
    for (std::uint64_t done = 0; done < repetitions(); done += batch) {
        lane.queue();
        ASSERT_EQ(lane.wrong().value_or(""), "") << "after " << done;
    }
}

TEST_P(Repetition, OnTwoStreamsAtOnce) {
    const launch::LoadedKernel both = loaded_kernel();
    Lane first(loaded_, both, example_);
    Lane second(loaded_, both, example_);
    for (std::uint64_t done = 0; done < repetitions(); done += 2 * batch) {
        first.queue();
        second.queue();
        ASSERT_EQ(first.wrong().value_or("") + second.wrong().value_or(""), "") << "after " << done;
    }
}

TEST_P(Repetition, InGraphReplays) {
    Lane lane(loaded_, loaded_kernel(), example_);
    gpu::Graph graph = gpu::Graph::capture(lane.stream(), [&](CUstream stream) { lane.queue(stream); });
    for (std::uint64_t done = 0; done < repetitions(); done += batch) {
        lane.outputs().fill(timing::poison_byte, lane.stream().handle());
        graph.launch(lane.stream());
        ASSERT_EQ(lane.wrong().value_or(""), "") << "after " << done;
    }
}

/// Blocks beyond those that a packed sum counts publish.
TEST(Packed, OfMoreBlocksThanItCounts) {
    for (const Type type : {Type::f32, Type::i64}) {
        test_support::LoadedCandidates loaded(make_problem("sum", type));
        bool is_run = false;
        for (const Trial& trial : loaded.trials(1U << 17)) {
            const Value* finish = trial.configuration.find("finish");
            if (trial.rule.tile > 128 || finish == nullptr || to_string(*finish) != "packed") continue;
            Lane lane(loaded, loaded.load(trial), usual_example(loaded, test_support::LoadedCandidates::usual_n));
            lane.queue();
            EXPECT_EQ(lane.wrong().value_or(""), "") << to_string(trial.configuration);
            is_run = true;
            break;
        }
        EXPECT_TRUE(is_run) << "no candidate of " << to_string(type);
    }
}

Value number(std::int64_t value) {
    return Value(value);
}

std::vector<Parameter> with(const char* finish, std::int64_t block = 256) {
    return {
        {"finish", std::string(finish)}, {"block", number(block)}, {"unroll", number(4)}, {"vector_bytes", number(16)}};
}

/// Sums of blocks that a packed sum has no place for: of all blocks, as the elements that it looks at are zero, or of
/// every fourth, as they are too small.
TEST(Packed, OfValuesThatEscape) {
    constexpr std::uint64_t n = 1U << 18;
    constexpr std::uint64_t tile = 256 * 4 * 4;
    test_support::LoadedCandidates loaded(make_problem("sum", Type::f32));
    const launch::LoadedKernel loaded_kernel = load(loaded, {"tile_per_block", with("packed"), n});
    for (const bool is_of_all : {true, false}) {
        std::vector<float> elements(n, 1.0F);
        for (std::uint64_t i = 0; i < n; ++i) {
            if (is_of_all && i % (n / 4) < 8) elements[i] = 0;
            if (!is_of_all && i / tile % 4 == 1) elements[i] = 0x3p-50F;
        }
        const double sum = is_of_all ? n - 32 : n / 4 * 3;
        gpu::DeviceBuffer input(n * sizeof(float));
        gpu::DeviceBuffer expected(sizeof(sum));
        input.copy_from_host(elements.data(), n * sizeof(float));
        expected.copy_from_host(&sum, sizeof(sum));
        Lane first(loaded, loaded_kernel, {n, {input.address()}, expected.address()});
        Lane second(loaded, loaded_kernel, {n, {input.address()}, expected.address()});
        for (std::uint64_t done = 0; done < repetitions(); done += 2 * batch) {
            first.queue();
            second.queue();
            ASSERT_EQ(first.wrong().value_or("") + second.wrong().value_or(""), "") << "after " << done;
        }
    }
}

std::vector<HandOver> hand_overs() {
    std::vector<HandOver> all;
    for (const std::uint64_t n : {1U << 18, 1U << 20, 1U << 24})
        all.push_back({"grid_stride_wide", with("publish"), n});
    all.push_back({"tile_per_block", with("publish", 64), 1U << 17});
    all.push_back({"tile_per_block", with("publish"), 1U << 21});
    for (const char* finish : {"ticket", "dependent", "cluster_publish", "atomic"}) {
        all.push_back({"tile_per_block", with(finish), 1U << 18});
    }
    for (const Type type : {Type::i32, Type::f32, Type::i64}) {
        all.push_back({"tile_per_block", with("packed"), 1U << 18, type});
    }
    for (const char* finish : {"publish", "packed"}) {
        all.push_back({"tile_per_block", with(finish, 32), 1U << 16, Type::f32});
    }
    for (const std::int64_t cluster : {2, 8, 16}) {
        all.push_back({"one_cluster", {{"cluster", number(cluster)}, {"vector_bytes", number(16)}}, 1U << 14});
    }
    all.push_back({"bulk", {{"finish", std::string("publish")}, {"stages", number(3)}}, 1U << 22});
    all.push_back({"bulk", {{"finish", std::string("dependent")}, {"stages", number(12)}}, 1U << 22});
    return all;
}

std::string name_of(const ::testing::TestParamInfo<HandOver>& test) {
    std::string name = test.param.family;
    for (const Parameter& parameter : test.param.parameters) {
        if (parameter.name == "finish" || parameter.name == "cluster") {
            name += fmt::format("_{}", to_string(parameter.value));
        }
    }
    return fmt::format("{}_{}_{}", name, to_string(test.param.type), format_size(test.param.n));
}

INSTANTIATE_TEST_SUITE_P(Finish, Repetition, ::testing::ValuesIn(hand_overs()), name_of);

}  // namespace
}  // namespace redtune
