// Runs families in the emulator on every kind of data. Right results must be within the bound of the kind, and results
// that lack one element must not be, unless the element is too small to matter.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/emulator/families/device_data.h"
#include "tests/emulator/families/family_call.h"
#include "tuner/core/element.h"
#include "tuner/core/operator.h"
#include "tuner/timing/support_kernels.h"
#include "tuner/timing/tolerance.h"

namespace redtune::emulated {
namespace {

using timing::DataKind;
using timing::Tolerance;

constexpr std::uint64_t seed = 1;

/// Returns the function that makes the problem's elements of data other than uniform.
MakeElement element_maker(const Problem& problem) {
    for (const jit::KernelName& name : timing::support_kernel_names(problem)) {
        const auto found = element_makers().find(name.expression);
        if (found != element_makers().end()) return found->second;
    }
    return nullptr;
}

/// Returns the elements of n elements of a kind of data, as the tuner lays them out.
Elements elements_of(const Problem& problem, DataKind kind, std::uint64_t n) {
    const MakeElement make = element_maker(problem);
    const std::uint64_t count = problem.row_length == 0 ? n : problem.row_length;
    return [=](std::uint64_t index, bool is_second) {
        return make(static_cast<int>(kind), {index + (is_second ? n : 0), index % count, count, is_second}, seed);
    };
}

/// The sums of the terms of one result, computed on the host.
struct TermSums {
    double magnitudes = 0;
    double squares = 0;

    void add(double term) {
        magnitudes += std::abs(term);
        squares += term * term;
    }
};

double term_of(const Problem& problem, const Elements& elements, std::uint64_t index) {
    const auto x = static_cast<double>(test_support::real_of(problem.input, elements(index, false)));
    if (problem.arrays == 2) {
        return x * static_cast<double>(test_support::real_of(problem.input, elements(index, true)));
    }
    return problem.op == "sum_of_squares" || problem.op == "l2_norm" ? x * x : x;
}

/// Judges the results of a call as the tuner does.
class Judge {
  public:
    Judge(const Problem& problem, const LaunchPlan& plan, DataKind kind)
        : problem_(problem), tolerance_(timing::data_tolerance(problem, plan, timing::data_of(kind))) {}

    bool is_right(std::uint64_t got, double expected, const TermSums& sums) const {
        const double bound[5] = {tolerance_.absolute, tolerance_.relative, tolerance_.of_magnitudes,
                                 tolerance_.of_root_squares, tolerance_.overflow_from};
        return is_right_on_device(launch::device_type(problem_.output), got, expected, bound, sums.magnitudes,
                                  sums.squares);
    }
    /// Returns the largest difference that is allowed.
    double allowed(double expected, const TermSums& sums) const {
        return tolerance_.absolute + tolerance_.relative * std::abs(expected) +
               tolerance_.of_magnitudes * sums.magnitudes + tolerance_.of_root_squares * std::sqrt(sums.squares);
    }

  private:
    Problem problem_;
    Tolerance tolerance_;
};

std::vector<DataKind> kinds_of(const Problem& problem) {
    std::vector<DataKind> kinds = timing::data_kinds_of(problem);
    std::erase(kinds, DataKind::uniform);
    return kinds;
}

/// A row's sum without its last element is wrong by that element, unless the rounding error may be as large.
void expect_lost_element_is_found(const Problem& problem, DataKind kind, const Judge& judge, double expected,
                                  const TermSums& sums, double last, int& found) {
    const double lost = expected - last;
    if (std::abs(last) <= 3 * judge.allowed(expected, sums)) return;
    ++found;
    EXPECT_FALSE(judge.is_right(element_bits(problem.output, lost), expected, sums))
        << to_string(kind) << ": " << lost << " is not " << expected;
}

class EmulatedFamilyOnData : public ::testing::TestWithParam<const Family*> {};

TEST_P(EmulatedFamilyOnData, IsWithinTheBoundOfEveryKind) {
    std::uint64_t run = 1;
    for (const Case& entry : select_cases(*GetParam(), Extent::sample)) {
        const Problem& problem = entry.problem;
        if (!is_float(problem.input) || rounding_of(problem) == Rounding::none) continue;
        const std::uint64_t unit = shape_of(problem).unit();
        const std::uint64_t n = std::min<std::uint64_t>(sizes_of(entry, Extent::sample).back().n(), 5003 / unit * unit);
        const Extents extents = extents_of(problem, n);
        for (const DataKind kind : kinds_of(problem)) {
            const Elements elements = elements_of(problem, kind, n);
            FamilyCall call(entry, elements, n, run % 3);
            ASSERT_EQ(call.run(run++), "") << name_of(entry) << ", " << to_string(kind);
            const Judge judge(problem, call.plan(), kind);
            for (std::uint64_t row = 0; row < call.results(); ++row) {
                TermSums sums;
                const std::uint64_t first = row / extents.inner * extents.reduced * extents.inner + row % extents.inner;
                for (std::uint64_t i = 0; i < extents.reduced; ++i) {
                    sums.add(term_of(problem, elements, first + i * extents.inner));
                }
                const auto expected = static_cast<double>(call.expected()[row].real);
                ASSERT_TRUE(judge.is_right(call.result(row), expected, sums))
                    << name_of(entry) << ", n = " << n << ", " << to_string(kind) << ": expected " << expected
                    << " within " << judge.allowed(expected, sums) << ", got "
                    << format_element(problem.output, call.result(row));
            }
        }
    }
}

std::vector<const Family*> all_families() {
    static const std::vector<Family> families = emulated_families();
    std::vector<const Family*> pointers;
    for (const Family& family : families) pointers.push_back(&family);
    return pointers;
}

INSTANTIATE_TEST_SUITE_P(Shipped, EmulatedFamilyOnData, ::testing::ValuesIn(all_families()),
                         [](const auto& test) { return test.param->name; });

/// Judges sums that lack one element, for each element in turn. Only zeros have no element that matters.
TEST(DataBound, FindsALostElementWhereItMatters) {
    constexpr std::uint64_t n = 1009;
    LaunchPlan plan;
    plan.count = 1;
    plan.slot_bytes = 8;
    plan.steps[0].block = 128;
    plan.steps[0].grid = 2;
    plan.steps[0].n = plan.steps[0].row_length = plan.elements_per_result = n;
    for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
        const Problem problem = make_problem("sum", type);
        for (const DataKind kind : kinds_of(problem)) {
            const Elements elements = elements_of(problem, kind, n);
            const Judge judge(problem, plan, kind);
            TermSums sums;
            double expected = 0;
            for (std::uint64_t i = 0; i < n; ++i) {
                const double term = term_of(problem, elements, i);
                sums.add(term);
                expected += term;
            }
            int found = 0;
            for (std::uint64_t i = 0; i < n; ++i) {
                expect_lost_element_is_found(problem, kind, judge, expected, sums, term_of(problem, elements, i),
                                             found);
            }
            EXPECT_EQ(found == 0, kind == DataKind::zeros) << to_string(kind) << " of " << to_string(type);
        }
    }
}

}  // namespace
}  // namespace redtune::emulated
