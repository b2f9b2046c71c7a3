// Times kernels on every kind of data; the results of the timed calls must be within the bound of the kind.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tests/support/database_fixture.h"
#include "tuner/timing/timer.h"

namespace redtune {
namespace {

/// Data and a number of elements.
using DataAndSize = std::pair<timing::Data, std::uint64_t>;

/// Times one trial of each kind on each data in turn.
void expect_right(const Problem& problem, const std::vector<DataAndSize>& list) {
    const std::uint64_t largest_n = std::ranges::max(list, {}, &DataAndSize::second).second;
    test_support::LoadedCandidates loaded(problem, largest_n);
    const gpu::NvmlDevice nvml(loaded.device().uuid);
    timing::Timer timer(loaded.kernels(), loaded.inputs(), problem, loaded.device(), nvml, loaded.stream());
    for (const auto& [data, n] : list) {
        const std::vector<Trial> trials = loaded.trials_of_each_kind(n);
        loaded.prepare(trials);
        loaded.inputs().use(data);
        for (const Trial& trial : trials) {
            const timing::Subject subject = timing::kernel_subject(loaded.load(trial), problem, n);
            const Measurement measurement = timer.measure(subject, {n, Regime::cold}, {200, 2, 2, 0});
            EXPECT_NE(measurement.status, Status::wrong)
                << problem.op << ", " << data.name << ", " << n << ", " << to_string(trial.configuration) << ": "
                << measurement.reason;
        }
    }
}

TEST(DataOnGpu, ResultsAreWithinTheBoundOfEveryKind) {
    for (const auto& [op, type] :
         {std::pair("sum", Type::f32), std::pair("sum", Type::f16), std::pair("dot", Type::f32),
          std::pair("l2_norm", Type::bf16), std::pair("argmin", Type::f32), std::pair("sum", Type::i8),
          std::pair("product", Type::f64)}) {
        const Problem problem = make_problem(op, type);
        std::vector<DataAndSize> list;
        for (const timing::DataKind kind : timing::data_kinds_of(problem)) {
            list.emplace_back(timing::data_of(kind), (1 << 20) + 3);
        }
        expect_right(problem, list);
    }
}

TEST(DataOnGpu, AFileIsRepeatedInEachInput) {
    const db::TemporaryFolder folder;
    const std::vector<float> values(2000, 0.25F);
    db::write_file(folder / "values.bin",
                   {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
    const Problem problem = make_problem("sum", Type::f32);
    expect_right(problem,
                 {{timing::parse_data((folder / "values.bin").string(), problem), 1 << 20}, {timing::Data(), 1 << 20}});
}

TEST(DataOnGpu, UniformInputsAreTheSameAfterOtherData) {
    const timing::Data uniform;
    const timing::Data outlier = timing::data_of(timing::DataKind::outlier);
    // The results that are expected of uniform inputs are computed once, before the other data.
    expect_right(make_problem("sum", Type::f32), {{uniform, 1 << 20},
                                                  {uniform, 1 << 24},
                                                  {outlier, 1 << 24},
                                                  {outlier, 1 << 20},
                                                  {uniform, 1 << 24},
                                                  {uniform, 1 << 20}});
}

}  // namespace
}  // namespace redtune
