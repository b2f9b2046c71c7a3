// Measures the errors of all finishes against the exact sum; they must be within the bounds of their accumulation.

#include "compare/accuracy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/finish_representatives.h"
#include "compare/sum_error.h"
#include "tuner/jit/source_set.h"
#include "tuner/timing/tolerance.h"

namespace redtune {
namespace {

/// Returns the sum of |term| of n uniform elements in [-1, 1), or of n products of two such elements, within 1 %.
double uniform_magnitudes(const Problem& problem, std::uint64_t n) {
    return static_cast<double>(n) / (problem.arrays == 2 ? 4 : 2);
}

/// Returns the smallest normal number of a floating-point type.
double least_normal(Type type) {
    if (type == Type::f64) return std::numeric_limits<double>::min();
    return type == Type::f16 ? std::exp2(-14) : std::numeric_limits<float>::min();
}

/// Returns a bound on the error in units. Uniform data have the statistical bound of timing::uniform_data_tolerance()
/// (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019). Other data have the worst case of
/// timing::data_tolerance() (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002, section 4.2).
double bound(const Problem& problem, const LaunchPlan& plan, const timing::Data& data) {
    const double unit = compare::error_unit(problem);
    const auto n = static_cast<double>(plan.elements_per_result);
    if (!data.is_uniform()) {
        const timing::Tolerance worst =
            timing::data_tolerance(problem, plan, timing::data_of(timing::DataKind::constant));
        if (data.name != to_string(timing::DataKind::subnormal)) return worst.of_magnitudes / unit;
        // Partials may underflow. The mean magnitude of the elements is half the smallest normal number.
        return (worst.of_magnitudes + worst.absolute / (0.99 * n * least_normal(problem.input) / 2)) / unit;
    }
    const timing::Tolerance tolerance = timing::uniform_data_tolerance(problem, plan);
    const double largest_sum = 8 * std::sqrt(n / 3);  // eight standard deviations
    return (tolerance.absolute + tolerance.relative * largest_sum) / unit /
           (0.99 * uniform_magnitudes(problem, plan.elements_per_result));
}

class AccuracyOnGpu : public ::testing::Test {
  protected:
    /// Measures the problem on all kinds of data at 64 Ki elements and at a size that is no multiple of a tile.
    void expect_small_errors(const Problem& problem) {
        compare::AccuracyRequest request{problem, {64 << 10, (1 << 20) + 3}, {}};
        for (const timing::DataKind kind : timing::data_kinds_of(problem)) {
            // Products of two subnormal numbers underflow in f32.
            if (problem.arrays == 2 && kind == timing::DataKind::subnormal) continue;
            request.data.push_back(timing::data_of(kind));
        }
        const compare::AccuracyOutcome outcome =
            compare::measure_accuracy(request, compiler_, families_, session_, no_methods, stop_);
        EXPECT_TRUE(outcome.failures.empty()) << ::testing::PrintToString(outcome.failures);
        auto row = outcome.rows.begin();
        for (const std::uint64_t n : request.sizes) {
            const auto representatives = compare::finish_representatives(families_, session_.device(), problem, n);
            for (const timing::Data& data : request.data) {
                for (const auto& [finish, trial] : representatives) {
                    ASSERT_NE(row, outcome.rows.end());
                    const std::string name = problem.op + ", " + row->dtype + ", " + data.name + ", " + row->method;
                    EXPECT_EQ(row->n, n) << name;
                    EXPECT_EQ(row->data, data.name) << name;
                    EXPECT_EQ(row->method, to_string(finish)) << name;
                    EXPECT_EQ(row->family, trial.configuration.family) << name;
                    EXPECT_LE(row->error, bound(problem, make_plan(trial.rule, n), data)) << name << ", n = " << n;
                    ++row;
                }
            }
        }
        EXPECT_EQ(row, outcome.rows.end());
        expect_all_finishes(problem, outcome.rows);
    }

    void expect_all_finishes(const Problem& problem, const std::vector<report::AccuracyRow>& rows) {
        const DeviceInfo& device = session_.device();
        const int compute_capability = device.compute_major * 10 + device.compute_minor;
        for (const FinishTraits& traits : finishes()) {
            const bool is_measured = std::any_of(rows.begin(), rows.end(), [&](const report::AccuracyRow& row) {
                return row.method == to_string(traits.finish);
            });
            EXPECT_EQ(is_measured, is_supported(traits.finish, problem, compute_capability))
                << to_string(traits.finish);
        }
    }

    static std::vector<compare::AccuracyMethod> no_methods(const Problem&, std::uint64_t) { return {}; }

    compare::Session session_;
    jit::SourceSet sources_ = jit::SourceSet::load();
    std::vector<Family> families_ = sources_.families();
    jit::CubinCache cache_{jit::CubinCache::default_folder(), jit::CubinCache::default_cap_bytes()};
    jit::Compiler compiler_{sources_, cache_, session_.device().architecture()};
    std::atomic<bool> stop_ = false;
};

TEST_F(AccuracyOnGpu, SumsOfEachTypeAreWithinTheirBounds) {
    for (const Type type : {Type::f32, Type::f16, Type::bf16, Type::f64})
        expect_small_errors(make_problem("sum", type));
}

TEST_F(AccuracyOnGpu, DotProductsAreWithinTheirBounds) {
    expect_small_errors(make_problem("dot", Type::f32));
}

TEST_F(AccuracyOnGpu, ALibrarysMethodsFollowTheFinishes) {
    // A method that writes nothing leaves the poison in the output.
    const auto library = [](const Problem& problem, std::uint64_t) {
        timing::Subject subject;
        subject.enqueue = [](std::uint32_t, const timing::CallBuffers&, CUstream) {};
        return std::vector<compare::AccuracyMethod>{{"idle", "none", problem.output, subject}};
    };
    const Problem problem = make_problem("sum", Type::f32);
    const compare::AccuracyOutcome outcome =
        compare::measure_accuracy({problem, {64 << 10}, {timing::data_of(timing::DataKind::constant)}}, compiler_,
                                  families_, session_, library, stop_);
    ASSERT_FALSE(outcome.rows.empty());
    EXPECT_EQ(outcome.rows.back().method, "idle");
    EXPECT_GT(outcome.rows.back().error, 1e6) << "the poison is near 0, the sum is 45875";
}

}  // namespace
}  // namespace redtune
