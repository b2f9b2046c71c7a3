// Runs every family in the emulator. The results must match a reference that shares no code with the device, and the
// emulator must report no defect.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/emulator/families/family_call.h"
#include "tests/emulator/families/kernel_table.h"
#include "tuner/core/element.h"
#include "tuner/core/operator.h"

namespace redtune::emulated {
namespace {

Extent extent() {
    const char* text = std::getenv("REDTUNE_EMULATED_EXTENT");
    return parse_extent(text != nullptr ? text : REDTUNE_EMULATED_EXTENT);
}

const std::vector<Family>& families() {
    static const std::vector<Family> all = emulated_families();
    return all;
}

std::uint64_t scramble(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// The kinds of elements of an input. plain: small whole numbers, whose reduction is exact in any order. extreme:
/// integers over their whole range, which wrap; or floats with a NaN or with one or more infinities. denormal: denormal
/// floats. worst: for argmin and argmax, only elements that every other value would replace.
enum class Content { plain, extreme, denormal, worst };

/// Returns whether the problem's result is independent of the order of combination for inputs of this kind.
bool is_order_independent(const Problem& problem, Content content) {
    if (content == Content::plain) return true;
    if (content == Content::worst) return find_operator(problem.op)->combined == Combined::value_and_index;
    if (!is_float(problem.input)) return content == Content::extreme && !is_float(problem.accumulator);
    // Squares, products and quotients of denormals are rounded.
    const Rounding rounding = find_operator(problem.op)->rounding;
    return content == Content::extreme || rounding == Rounding::none || problem.op == "sum" || problem.op == "l1_norm";
}

/// Returns the bits of the largest value for argmin, of the smallest for argmax.
std::uint64_t worst_element(const Problem& problem) {
    const bool is_max = problem.op == "argmax";
    if (is_float(problem.input)) return element_bits(problem.input, is_max ? -HUGE_VAL : HUGE_VAL);
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * size_of(problem.input));
    const std::uint64_t largest = is_signed(problem.input) ? all >> 1 : all;
    return is_max ? all - largest : largest;
}

std::uint64_t element(const Problem& problem, Content content, std::uint64_t n, std::uint64_t index) {
    const std::uint64_t bits = scramble(index);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * size_of(problem.input));
    if (content == Content::worst) return worst_element(problem);
    if (content == Content::extreme && !is_float(problem.input)) return bits & mask;
    if (content == Content::extreme && n % 3 == 1 && index % 257 == 5) return element_bits(problem.input, HUGE_VAL);
    if (content == Content::extreme && index == scramble(n) % (n + 1)) {
        const double values[] = {std::nan(""), HUGE_VAL, -HUGE_VAL};
        return element_bits(problem.input, values[n % 3]);
    }
    // In every format, values whose exponent bits are zero are denormal or zero; the highest bit is the sign.
    if (content == Content::denormal) return (bits % 8) | (bits >> 63 << (8 * size_of(problem.input) - 1));
    const Rounding rounding = find_operator(problem.op)->rounding;
    if (rounding == Rounding::product) {
        if (is_float(problem.input)) return element_bits(problem.input, bits % 2 == 0 ? 1 : -1);
        return (bits | 1) & mask;
    }
    if (problem.op == "all") return element_bits(problem.input, bits % 701 == 0 ? 0 : 1);
    if (problem.op == "any") return element_bits(problem.input, bits % 701 == 0 ? 1 : 0);
    return element_bits(problem.input, static_cast<double>(bits % 17) - 8);
}

/// Runs a call, checks its results, and returns an empty string or a description of the failure.
std::string run_and_check(FamilyCall& call, const Problem& problem, std::uint64_t seed) {
    if (std::string wrong = call.run(seed); !wrong.empty()) return wrong;
    for (std::uint64_t i = 0; i < call.results(); ++i) {
        const std::string wrong = test_support::judge(problem, call.expected()[i], call.result(i));
        if (!wrong.empty()) return "result " + std::to_string(i) + ": " + wrong;
    }
    return "";
}

class EmulatedFamily : public ::testing::TestWithParam<const Family*> {};

TEST_P(EmulatedFamily, IsRightAndSynchronised) {
    const std::vector<Case> cases = select_cases(*GetParam(), extent());
    const int repeats = extent() == Extent::proof ? 6 : 2;
    ASSERT_FALSE(cases.empty());
    std::uint64_t seed = 1;
    for (const Case& entry : cases) {
        std::uint64_t offset = 0;
        bool has_run = false;
        for (const Content content : {Content::plain, Content::extreme, Content::denormal, Content::worst}) {
            if (!is_order_independent(entry.problem, content)) continue;
            for (const Extents& extents : sizes_of(entry, extent())) {
                if (!can_run(entry, extents)) continue;
                has_run = true;
                const std::uint64_t n = extents.n();
                // One in three inputs is aligned. The repeated calls share a workspace, and each has a different seed.
                const auto elements = [&](std::uint64_t index, bool is_second) {
                    return element(entry.problem, content, n, is_second ? index + n + 1 : index);
                };
                FamilyCall call(entry, elements, extents, offset++ % 3);
                for (int repeat = 0; repeat < repeats; ++repeat) {
                    ASSERT_EQ(run_and_check(call, entry.problem, seed++), "")
                        << name_of(entry) << ", n = " << n << ", outer = " << extents.outer << ", content "
                        << static_cast<int>(content) << ", call " << repeat + 1;
                }
            }
        }
        ASSERT_TRUE(has_run) << name_of(entry) << " needs too many threads at every size";
    }
    std::printf("%zu kernels and problems\n", cases.size());
}

TEST(EmulatedKernels, HaveEveryOperatorWithEveryType) {
    if (extent() == Extent::proof) GTEST_SKIP() << "a proof has few problems";
    for (const std::string& op : operator_names()) {
        for (const std::string& type : type_names()) {
            if (result_types(op, parse_type(type)).empty()) continue;
            const std::string problem = launch::device_problem(make_problem(op, parse_type(type)));
            EXPECT_TRUE(
                std::any_of(kernel_table().begin(), kernel_table().end(),
                            [&](const auto& entry) { return entry.first.find("<" + problem) != std::string::npos; }))
                << op << " of " << type;
        }
    }
}

std::vector<const Family*> all_families() {
    std::vector<const Family*> pointers;
    for (const Family& family : families()) pointers.push_back(&family);
    return pointers;
}

INSTANTIATE_TEST_SUITE_P(Shipped, EmulatedFamily, ::testing::ValuesIn(all_families()),
                         [](const auto& test) { return test.param->name; });

}  // namespace
}  // namespace redtune::emulated
