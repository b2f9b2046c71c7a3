#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/needs_gpu/loaded_candidates.h"
#include "tests/support/host_reference.h"
#include "tuner/core/operator.h"

namespace redtune {
namespace {

using test_support::LoadedCandidates;

constexpr std::uint64_t row_lengths[] = {32, 2, 100, 1024, 70001};
constexpr std::uint64_t numbers_of_columns[] = {64, 3, 1000, 1, 31, 8, 2, 20001};

/// An operator, and what it reduces.
struct Subject {
    std::string op;
    ShapeKind kind = ShapeKind::whole;
};

bool is_brief() {
    return std::getenv("REDTUNE_BRIEF") != nullptr;
}

std::string name_of(const ::testing::TestParamInfo<Subject>& test) {
    return test.param.op + "_" + std::string(to_string(test.param.kind));
}

/// Returns one problem for each input type that the operator supports; only one of them if $REDTUNE_BRIEF is set.
std::vector<Problem> problems_of(const Subject& subject) {
    std::vector<Problem> problems;
    std::size_t turn = subject.op.size();
    for (const std::string& type : type_names()) {
        ++turn;
        if (result_types(subject.op, parse_type(type)).empty()) continue;
        Problem& problem = problems.emplace_back(make_problem(subject.op, parse_type(type)));
        problem.destructive = true;
        if (subject.kind == ShapeKind::rows) problem.row_length = row_lengths[turn % std::size(row_lengths)];
        if (subject.kind == ShapeKind::columns) {
            problem.columns = numbers_of_columns[turn % std::size(numbers_of_columns)];
        }
    }
    if (is_brief()) problems = {problems[turn % problems.size()]};
    return problems;
}

/// Compares the results of the reference kernel with the host's. All other tests on a GPU rely on the reference kernel.
void expect_right_references(LoadedCandidates& loaded, const Problem& problem, std::uint64_t n) {
    const Problem wide = reference_problem(problem);
    std::vector<unsigned char> first(n * size_of(problem.input));
    std::vector<unsigned char> second(first.size());
    const launch::InputArrays arrays = loaded.inputs().exact(1);
    gpu::copy_to_host(first.data(), arrays.first, first.size());
    if (problem.arrays == 2) gpu::copy_to_host(second.data(), arrays.second, second.size());
    const std::vector<test_support::HostResult> expected =
        test_support::host_results(problem, first.data(), second.data(), n);
    const gpu::DeviceBuffer& results = loaded.inputs().expected_exact(1, n);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        std::uint64_t got = 0;
        results.copy_to_host(&got, size_of(wide.output), i * size_of(wide.output));
        ASSERT_EQ(test_support::judge(wide, expected[i], got), "") << "reference " << i << " of n = " << n;
    }
}

/// Runs every kind of kernel of every family with every operator and type: first with the inputs of
/// Checker::check_hard_sizes(), then at a few larger sizes.
class Families : public ::testing::TestWithParam<Subject> {};

TEST_P(Families, EveryKindOfKernelIsRight) {
    const std::vector<Problem> problems = problems_of(GetParam());
    std::vector<std::uint64_t> sizes = {1 << 16, (1 << 18) + 7, (1 << 22) + 12345};
    // Some load paths and mappings are candidates only for inputs larger than L2. This size is larger for every type.
    if (GetParam().op == "sum" && GetParam().kind == ShapeKind::whole) sizes.push_back((1 << 26) + 4321);
    if (is_brief()) sizes.resize(1);
    LoadedCandidates::compile_ahead(problems, sizes);
    std::size_t checked = 0;
    for (const Problem& problem : problems) {
        LoadedCandidates loaded(problem);
        const std::uint64_t unit = shape_of(problem).unit();
        const auto rows = [&](std::uint64_t n) { return n / unit * unit; };
        expect_right_references(loaded, problem, rows(unit > 1 << 12 ? 2 * unit : 10007));
        std::set<std::string> seen;
        for (const std::uint64_t n : sizes) {
            const std::vector<Trial> trials = loaded.trials_of_each_kind(rows(n));
            loaded.prepare(trials);
            for (const Trial& trial : trials) {
                const launch::LoadedKernel loaded_kernel = loaded.load(trial);
                const std::string name = std::string(to_string(problem.input)) + ", " + shape_name(problem) + ": " +
                                         to_string(trial.configuration);
                if (seen.insert(name).second) {
                    EXPECT_EQ(loaded.checker().check_hard_sizes(loaded_kernel, name).value_or(""), "") << name;
                }
                EXPECT_EQ(loaded.checker().check_size(loaded_kernel, rows(n)).value_or(""), "") << name << " at " << n;
                ++checked;
            }
        }
    }
    std::printf("%s %s: %zu problems, %zu kernels and sizes\n", GetParam().op.c_str(),
                std::string(to_string(GetParam().kind)).c_str(), problems.size(), checked);
    std::fflush(stdout);
    EXPECT_GT(checked, 0U);
}

std::vector<Subject> all_subjects() {
    std::vector<Subject> subjects;
    for (const std::string& op : operator_names()) {
        for (const ShapeKind kind : {ShapeKind::whole, ShapeKind::rows, ShapeKind::columns}) {
            subjects.push_back({op, kind});
        }
    }
    return subjects;
}

INSTANTIATE_TEST_SUITE_P(All, Families, ::testing::ValuesIn(all_subjects()), name_of);

/// Tests sizes above 2^32 elements, for which a 32-bit index is too short.
class LargeSizes : public ::testing::TestWithParam<std::tuple<std::string, Type>> {};

TEST_P(LargeSizes, EveryFamilyIsRight) {
    if (is_brief()) GTEST_SKIP() << "not under a sanitizer";
    constexpr std::uint64_t n = (std::uint64_t{1} << 32) + 12345;
    Problem problem = make_problem(std::get<0>(GetParam()), std::get<1>(GetParam()));
    problem.destructive = true;
    // Device memory must hold the input, the exact values, and a copy of the input for kernels that overwrite it.
    if (4 * bytes_read(problem, n) > gpu::device_at(0).info.memory_bytes) GTEST_SKIP() << "too large for this device";
    LoadedCandidates loaded(problem, n + 8);
    std::set<std::string> seen;
    for (const Trial& trial : loaded.trials_of_each_kind(n)) {
        const Value* finish = trial.configuration.find("finish");
        if (!seen.insert(trial.configuration.family + (finish != nullptr ? to_string(*finish) : "")).second) continue;
        const launch::LoadedKernel loaded_kernel = loaded.load(trial);
        EXPECT_EQ(loaded.checker().check_size(loaded_kernel, n).value_or(""), "") << to_string(trial.configuration);
    }
    std::printf("%zu families and finishes\n", seen.size());
    EXPECT_GT(seen.size(), 5U);
}

INSTANTIATE_TEST_SUITE_P(Above4Gi, LargeSizes,
                         ::testing::Values(std::tuple("sum", Type::i8), std::tuple("argmax", Type::i8),
                                           std::tuple("sum", Type::f16), std::tuple("sum", Type::f32),
                                           std::tuple("argmin", Type::bf16), std::tuple("bit_xor", Type::u32),
                                           std::tuple("sum", Type::i64), std::tuple("l2_norm", Type::f64)),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_" + std::string(to_string(std::get<1>(test.param)));
                         });

}  // namespace
}  // namespace redtune
