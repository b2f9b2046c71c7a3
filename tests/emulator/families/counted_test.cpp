// Runs the families for whole arrays with the number of elements in device memory. The grid is planned for an upper
// bound, so some of its blocks have no elements. The emulator reports a read beyond the elements.

#include <gtest/gtest.h>

#include <set>

#include "tests/emulator/families/family_call.h"
#include "tuner/core/element.h"

namespace redtune::emulated {
namespace {

std::uint64_t element(const Problem& problem, std::uint64_t index, bool is_second) {
    return element_bits(problem.input, static_cast<double>((index * (is_second ? 7 : 5) + 3) % 17) - 8);
}

/// Returns upper bounds, each with numbers from 0 to beyond the bound: fewer elements than the first block takes, whole
/// and partial tiles, blocks without elements, and exactly the bound.
std::vector<CountInMemory> counts_of(const Case& entry) {
    const LaunchRule& rule = entry.candidate.rule;
    std::vector<CountInMemory> counts;
    for (const std::uint64_t most : {4 * rule.tile, 5 * rule.tile + 3}) {
        std::set<std::uint64_t> numbers = {0,        1,   rule.tile - 1, rule.tile, 2 * rule.tile, 2 * rule.tile + 7,
                                           most - 1, most};
        numbers.insert(most + rule.tile);  // too large: counts as `most`
        for (const std::uint64_t number : numbers) counts.push_back({number, most});
    }
    counts.push_back({sizes_of(entry, Extent::counted).back().n(), 2 * sizes_of(entry, Extent::counted).back().n()});
    counts.push_back({5, 0});
    return counts;
}

class CountedFamily : public ::testing::TestWithParam<const Family*> {};

TEST_P(CountedFamily, ReducesAsManyElementsAsTheDeviceSays) {
    std::uint64_t seed = 1;
    const std::vector<Case> cases = select_cases(*GetParam(), Extent::counted);
    ASSERT_FALSE(cases.empty());
    for (const Case& entry : cases) {
        const auto elements = [&](std::uint64_t index, bool is_second) {
            return element(entry.problem, index, is_second);
        };
        for (const CountInMemory& count : counts_of(entry)) {
            FamilyCall call(entry, elements, count, seed % 3);
            const std::string where =
                name_of(entry) + ", n = " + std::to_string(count.number) + " of " + std::to_string(count.most);
            for (int repeat = 0; repeat < 2; ++repeat) {
                ASSERT_EQ(call.run(seed++), "") << where;
                ASSERT_EQ(test_support::judge(entry.problem, call.expected()[0], call.result(0)), "") << where;
            }
        }
    }
}

std::vector<const Family*> families_for_whole_arrays() {
    static const std::vector<Family> families = emulated_families();
    std::vector<const Family*> pointers;
    for (const Family& family : families) {
        if (family.shapes.front() == "whole") pointers.push_back(&family);
    }
    return pointers;
}

INSTANTIATE_TEST_SUITE_P(Shipped, CountedFamily, ::testing::ValuesIn(families_for_whole_arrays()),
                         [](const auto& test) { return test.param->name; });

}  // namespace
}  // namespace redtune::emulated
