// Times kernels on every kind of data; the results of the timed calls must be within the bound of the kind.

#include <gtest/gtest.h>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tests/support/database_fixture.h"
#include "tuner/timing/timer.h"

namespace redtune {
namespace {

/// Times one trial of each kind at n elements on the data.
void expect_right(const Problem& problem, const std::vector<timing::Data>& list, std::uint64_t n) {
    test_support::LoadedCandidates loaded(problem, n);
    const gpu::NvmlDevice nvml(loaded.device().uuid);
    timing::Timer timer(loaded.kernels(), loaded.inputs(), problem, loaded.device(), nvml, loaded.stream());
    const std::vector<Trial> trials = loaded.trials_of_each_kind(n);
    loaded.prepare(trials);
    for (const timing::Data& data : list) {
        loaded.inputs().use(data);
        for (const Trial& trial : trials) {
            const timing::Subject subject = timing::kernel_subject(loaded.load(trial), problem, n);
            const Measurement measurement = timer.measure(subject, {n, Regime::cold}, {200, 2, 2, 0});
            EXPECT_NE(measurement.status, Status::wrong)
                << problem.op << ", " << data.name << ", " << to_string(trial.configuration) << ": "
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
        std::vector<timing::Data> list;
        for (const timing::DataKind kind : timing::data_kinds_of(problem)) list.push_back(timing::data_of(kind));
        expect_right(problem, list, (1 << 20) + 3);
    }
}

TEST(DataOnGpu, AFileIsRepeatedInEachInput) {
    const db::TemporaryFolder folder;
    const std::vector<float> values(2000, 0.25F);
    db::write_file(folder / "values.bin",
                   {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
    const Problem problem = make_problem("sum", Type::f32);
    expect_right(problem, {timing::parse_data((folder / "values.bin").string(), problem), timing::Data()}, 1 << 20);
}

}  // namespace
}  // namespace redtune
