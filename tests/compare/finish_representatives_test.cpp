#include "compare/finish_representatives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/support/devices.h"
#include "tuner/jit/source_set.h"

namespace redtune::compare {
namespace {

using ::testing::ElementsAreArray;

const std::vector<Family>& families() {
    static const std::vector<Family> shipped = jit::SourceSet::load().families();
    return shipped;
}

std::vector<Finish> finishes_of(const std::vector<FinishRepresentative>& representatives) {
    std::vector<Finish> list;
    for (const FinishRepresentative& each : representatives) list.push_back(each.finish);
    return list;
}

/// Returns the finishes that the problem and the device allow, in their order.
std::vector<Finish> allowed_finishes(const Problem& problem, int compute_capability) {
    std::vector<Finish> list;
    for (const FinishTraits& each : finishes()) {
        if (is_supported(each.finish, problem, compute_capability)) list.push_back(each.finish);
    }
    return list;
}

const Problem problems[] = {make_problem("sum", Type::f32), make_problem("sum", Type::f16),
                            make_problem("sum", Type::bf16), make_problem("sum", Type::f64),
                            make_problem("dot", Type::f32)};

TEST(FinishRepresentatives, EveryFinishThatIsAllowedHasOneAt64Ki) {
    for (const Problem& problem : problems) {
        EXPECT_THAT(finishes_of(finish_representatives(families(), test_support::h200(), problem, 64 << 10)),
                    ElementsAreArray(allowed_finishes(problem, 90)))
            << problem.op << " " << to_string(problem.input);
    }
}

TEST(FinishRepresentatives, OneClusterIsTooSmallFor16Mi) {
    for (const Problem& problem : problems) {
        std::vector<Finish> expected = allowed_finishes(problem, 90);
        std::erase(expected, Finish::cluster);
        EXPECT_THAT(finishes_of(finish_representatives(families(), test_support::h200(), problem, 16 << 20)),
                    ElementsAreArray(expected))
            << problem.op << " " << to_string(problem.input);
    }
}

TEST(FinishRepresentatives, AnOlderDeviceHasItsOwnFinishes) {
    DeviceInfo a100 = test_support::h200();
    a100.compute_major = 8;
    const Problem problem = make_problem("sum", Type::f32);
    EXPECT_THAT(finishes_of(finish_representatives(families(), a100, problem, 64 << 10)),
                ElementsAreArray(allowed_finishes(problem, 80)));
}

TEST(FinishRepresentatives, TheyDifferInTheFinishOnly) {
    for (const std::uint64_t n : {64 << 10, 16 << 20}) {
        std::set<std::string> shapes;
        for (const FinishRepresentative& each :
             finish_representatives(families(), test_support::h200(), make_problem("sum", Type::f32), n)) {
            const Configuration& configuration = each.trial.configuration;
            if (each.finish == Finish::cluster) {
                EXPECT_EQ(configuration.family, "one_cluster");
                continue;
            }
            EXPECT_EQ(configuration.family, "tile_per_block");
            EXPECT_EQ(to_string(*configuration.find(finish_parameter)), to_string(each.finish));
            EXPECT_EQ(to_string(*configuration.find("vector_bytes")), "16");
            EXPECT_EQ(to_string(*configuration.find("cluster")), each.finish == Finish::cluster_publish ? "2" : "1");
            shapes.insert(to_string(*configuration.find("block")) + "," + to_string(*configuration.find("unroll")));
        }
        EXPECT_EQ(shapes.size(), 1U) << "n = " << n << ": " << testing::PrintToString(shapes);
    }
}

TEST(FinishRepresentatives, InputsTooLargeForATileOfEachBlockTakeTheGridStrideLoop) {
    const auto representatives = finish_representatives(families(), test_support::h200(),
                                                        make_problem("sum", Type::f32), std::uint64_t{1} << 32);
    ASSERT_FALSE(representatives.empty());
    for (const FinishRepresentative& each : representatives) {
        EXPECT_EQ(each.trial.configuration.family, "grid_stride_wide");
    }
}

}  // namespace
}  // namespace redtune::compare
