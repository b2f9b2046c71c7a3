// Calls every finish many times: a race between blocks may show only once in a million calls.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

/// An input of n elements and its expected result, of the reference's type.
struct Example {
    std::uint64_t n;
    launch::InputArrays input;
    CUdeviceptr expected;
};

Example exact_example(test_support::LoadedCandidates& loaded, std::uint64_t n) {
    return {n, loaded.inputs().exact(), loaded.inputs().expected_exact(0, n).address()};
}

/// A stream with its own workspace, and the outputs of a batch of calls.
class StreamOfCalls {
  public:
    StreamOfCalls(test_support::LoadedCandidates& loaded, const launch::LoadedKernel& loaded_kernel,
                  const Example& example)
        : loaded_(loaded),
          kernel_(loaded_kernel),
          example_(example),
          plan_(make_plan(loaded_kernel.rule, example.n)),
          output_bytes_(size_of(loaded.problem().output)),
          outputs_(batch * output_bytes_) {
        workspace_.prepare(plan_, stream_.handle());
        stream_.synchronize();
    }

    /// Enqueues a batch of calls on the given stream.
    void enqueue(CUstream stream) {
        for (std::uint64_t i = 0; i < batch; ++i) {
            launch::enqueue(kernel_, plan_, example_.input, outputs_.address() + i * output_bytes_,
                            workspace_.address(), stream);
        }
    }
    /// Poisons the outputs and enqueues a batch of calls on this object's stream.
    void enqueue() {
        outputs_.fill(timing::poison_byte, stream_.handle());
        enqueue(stream_.handle());
    }

    /// Waits for the batch and judges its results.
    /// @return nothing if they are right, otherwise what is wrong
    std::optional<std::string> check() {
        stream_.synchronize();
        return loaded_.kernels().judge({outputs_.address(), 1, batch, example_.expected, 1, 1, {}}, stream_.handle());
    }

    gpu::Stream& stream() { return stream_; }
    gpu::DeviceBuffer& outputs() { return outputs_; }

  private:
    test_support::LoadedCandidates& loaded_;
    launch::LoadedKernel kernel_;
    Example example_;
    LaunchPlan plan_;
    gpu::Stream stream_;
    timing::Workspace workspace_;
    std::uint64_t output_bytes_;
    gpu::DeviceBuffer outputs_;
};

/// A finish of a family, and a size.
struct FinishCase {
    std::string family;
    std::vector<Parameter> parameters;  ///< the test runs the first candidate that has all of these
    std::uint64_t n;
    Type type = Type::f32;
};

launch::LoadedKernel load(test_support::LoadedCandidates& loaded, const FinishCase& finish_case) {
    for (const Trial& trial : loaded.trials(finish_case.n)) {
        const Configuration& configuration = trial.configuration;
        const auto has = [&](const Parameter& wanted) {
            const Value* found = configuration.find(wanted.name);
            return found != nullptr && *found == wanted.value;
        };
        const std::vector<Parameter>& wanted = finish_case.parameters;
        if (configuration.family == finish_case.family && std::all_of(wanted.begin(), wanted.end(), has)) {
            return loaded.load(trial);
        }
    }
    throw std::logic_error("no such candidate");
}

class Repetition : public ::testing::TestWithParam<FinishCase> {
  protected:
    launch::LoadedKernel loaded_kernel() { return load(loaded_, GetParam()); }

    test_support::LoadedCandidates loaded_{make_problem("sum", GetParam().type)};
    Example example_ = exact_example(loaded_, GetParam().n);
};

TEST_P(Repetition, OnOneStream) {
    StreamOfCalls calls(loaded_, loaded_kernel(), example_);
    for (std::uint64_t done = 0; done < repetitions(); done += batch) {
        calls.enqueue();
        ASSERT_EQ(calls.check().value_or(""), "") << "after " << done;
    }
}

TEST_P(Repetition, OnTwoStreamsAtOnce) {
    const launch::LoadedKernel shared = loaded_kernel();
    StreamOfCalls first(loaded_, shared, example_);
    StreamOfCalls second(loaded_, shared, example_);
    for (std::uint64_t done = 0; done < repetitions(); done += 2 * batch) {
        first.enqueue();
        second.enqueue();
        ASSERT_EQ(first.check().value_or("") + second.check().value_or(""), "") << "after " << done;
    }
}

TEST_P(Repetition, InGraphs) {
    StreamOfCalls calls(loaded_, loaded_kernel(), example_);
    gpu::Graph graph = gpu::Graph::capture(calls.stream(), [&](CUstream stream) { calls.enqueue(stream); });
    for (std::uint64_t done = 0; done < repetitions(); done += batch) {
        calls.outputs().fill(timing::poison_byte, calls.stream().handle());
        graph.launch(calls.stream());
        ASSERT_EQ(calls.check().value_or(""), "") << "after " << done;
    }
}

/// Tests that the blocks publish their partials instead if there are more blocks than the packed word can count.
TEST(Packed, IsRightWithMoreBlocksThanItCounts) {
    for (const Type type : {Type::f32, Type::i64}) {
        test_support::LoadedCandidates loaded(make_problem("sum", type));
        bool has_run = false;
        for (const Trial& trial : loaded.trials(1U << 17)) {
            const Value* finish = trial.configuration.find("finish");
            if (trial.rule.tile > 128 || finish == nullptr || to_string(*finish) != "packed") continue;
            StreamOfCalls calls(loaded, loaded.load(trial),
                                exact_example(loaded, test_support::LoadedCandidates::usual_n));
            calls.enqueue();
            EXPECT_EQ(calls.check().value_or(""), "") << to_string(trial.configuration);
            has_run = true;
            break;
        }
        EXPECT_TRUE(has_run) << "no candidate of " << to_string(type);
    }
}

Value number(std::int64_t value) {
    return Value(value);
}

std::vector<Parameter> with(const char* finish, std::int64_t block = 256) {
    return {
        {"finish", std::string(finish)}, {"block", number(block)}, {"unroll", number(4)}, {"vector_bytes", number(16)}};
}

/// The partials of neighbouring blocks are in different bins of exponents: two bins, which are combined in their own
/// way, or eight.
TEST(Packed, IsRightWithPartialsOfManyExponents) {
    constexpr std::uint64_t n = 1U << 18;
    constexpr std::uint64_t tile = 256 * 4 * 4;
    test_support::LoadedCandidates loaded(make_problem("sum", Type::f32));
    const launch::LoadedKernel loaded_kernel = load(loaded, {"tile_per_block", with("packed"), n});
    for (const std::uint64_t bins : {2, 8}) {
        std::vector<float> elements(n);
        double sum = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            const auto exponent = static_cast<int>(i / tile % bins) * 17;
            elements[i] = std::ldexp(1.0F, -exponent);
            sum += elements[i];
        }
        gpu::DeviceBuffer input(n * sizeof(float));
        gpu::DeviceBuffer expected(sizeof(sum));
        input.copy_from_host(elements.data(), n * sizeof(float));
        expected.copy_from_host(&sum, sizeof(sum));
        StreamOfCalls first(loaded, loaded_kernel, {n, {input.address()}, expected.address()});
        StreamOfCalls second(loaded, loaded_kernel, {n, {input.address()}, expected.address()});
        for (std::uint64_t done = 0; done < repetitions(); done += 2 * batch) {
            first.enqueue();
            second.enqueue();
            ASSERT_EQ(first.check().value_or("") + second.check().value_or(""), "") << "after " << done;
        }
    }
}

std::vector<FinishCase> finish_cases() {
    std::vector<FinishCase> all;
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

std::string name_of(const ::testing::TestParamInfo<FinishCase>& test) {
    std::string name = test.param.family;
    for (const Parameter& parameter : test.param.parameters) {
        if (parameter.name == "finish" || parameter.name == "cluster") {
            name += fmt::format("_{}", to_string(parameter.value));
        }
    }
    return fmt::format("{}_{}_{}", name, to_string(test.param.type), format_size(test.param.n));
}

INSTANTIATE_TEST_SUITE_P(Finish, Repetition, ::testing::ValuesIn(finish_cases()), name_of);

}  // namespace
}  // namespace redtune
