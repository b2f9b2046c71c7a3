// The candidates of the families in templates/.

#include <gtest/gtest.h>

#include <set>

#include "db/space.h"
#include "tests/support/devices.h"
#include "tuner/jit/source_set.h"
#include "tuner/launch/instantiation.h"

namespace redtune::db {
namespace {

TEST(ShippedSpace, PdlCandidatesNeedBackToBackCallsHopperAndTheReadOnlyPath) {
    const Problem problem = make_problem("sum", Type::f32);
    const std::vector<Family> families = jit::SourceSet::load().families();
    DeviceInfo ada = test_support::h200();
    ada.compute_major = 8;
    ada.compute_minor = 9;
    for (const char* name : {"single_block", "tile_per_block", "grid_stride_wide", "bulk"}) {
        const Family& f = jit::find_family(families, name);
        const std::uint64_t n = f.name == "single_block" ? 1 << 12 : 1 << 19;
        const auto pdl = [&](const DeviceInfo& device, Regime regime) {
            std::vector<Candidate> found;
            for (Candidate& candidate : candidates(f, device, problem, n, regime)) {
                if (candidate.rule.pdl) found.push_back(std::move(candidate));
            }
            return found;
        };
        EXPECT_TRUE(pdl(test_support::h200(), Regime::cold).empty()) << name;
        EXPECT_TRUE(pdl(ada, Regime::back_to_back).empty()) << name;
        std::set<std::string> finishes;
        for (const Candidate& candidate : pdl(test_support::h200(), Regime::back_to_back)) {
            if (const Value* path = candidate.configuration.find("path")) {
                EXPECT_EQ(to_string(*path), "read_only") << to_string(candidate.configuration);
            }
            if (const Value* finish = candidate.configuration.find("finish")) finishes.insert(to_string(*finish));
            const std::string arguments = launch::instantiation_of(f, candidate.configuration.parameters);
            EXPECT_TRUE(arguments.ends_with(", 1")) << arguments;
        }
        EXPECT_FALSE(pdl(test_support::h200(), Regime::back_to_back).empty()) << name;
        EXPECT_GE(finishes.size(), f.name == "single_block" ? 0U : 4U) << name;
        // All candidates of the cold regime are also candidates when calls are back to back.
        std::set<std::string> all;
        for (const Candidate& candidate : candidates(f, test_support::h200(), problem, n, Regime::back_to_back)) {
            all.insert(to_string(candidate.configuration));
        }
        for (const Candidate& candidate : candidates(f, test_support::h200(), problem, n)) {
            EXPECT_TRUE(all.contains(to_string(candidate.configuration))) << to_string(candidate.configuration);
        }
    }
}

TEST(ShippedSpace, OversubscribedGridsAreForTheLargestInputsAndPublish) {
    const Problem problem = make_problem("sum", Type::f32);
    const std::vector<Family> families = jit::SourceSet::load().families();
    const DeviceInfo device = test_support::h200();
    const std::uint64_t large = 16 * device.l2_bytes / sizeof(float);
    const auto oversubscribed = [&](std::uint64_t n) {
        std::set<std::string> finishes;
        for (const Candidate& candidate :
             candidates(jit::find_family(families, "grid_stride_wide"), device, problem, n)) {
            const std::string blocks_per_sm = to_string(*candidate.configuration.find("blocks_per_sm"));
            if (std::stod(blocks_per_sm) * candidate.rule.block <= device.max_threads_per_sm) continue;
            EXPECT_EQ(std::stoul(blocks_per_sm) * candidate.rule.block, 8U * device.max_threads_per_sm);
            finishes.insert(to_string(*candidate.configuration.find("finish")));
        }
        return finishes;
    };
    EXPECT_EQ(oversubscribed(large - 1), std::set<std::string>{});
    EXPECT_EQ(oversubscribed(large), std::set<std::string>{"publish"});
}

TEST(ShippedSpace, EveryShippedFamilyHasCandidatesAtSomeSize) {
    const std::vector<Family> families = jit::SourceSet::load().families();
    std::set<std::string> names;
    for (const Family& f : families) {
        std::size_t candidates = 0;
        Problem problem = make_problem("sum", Type::f32);
        problem.destructive = true;
        for (const Shape& shape : {Shape(), Shape{.row_length = 32}, Shape{.row_length = 1 << 20}, Shape{.columns = 64},
                                   Shape{.columns = 1 << 16}}) {
            problem = with_shape(problem, shape);
            for (int octave = 0; octave <= 34; octave += 2) {
                candidates += db::candidates(f, test_support::h200(), problem, std::uint64_t{1} << octave).size();
            }
        }
        EXPECT_GT(candidates, 0U) << f.name;
        names.insert(f.name);
    }
    EXPECT_TRUE(names.contains("grid_stride_wide"));
    EXPECT_TRUE(names.contains("single_block"));
    EXPECT_TRUE(names.contains("shared_sequential"));
}

TEST(ShippedSpace, EveryRowLengthHasCandidates) {
    const std::vector<Family> families = jit::SourceSet::load().families();
    for (const std::uint64_t row_length : {2, 3, 32, 1000, 1 << 20}) {
        for (const char* type : {"i8", "f32", "f64"}) {
            Problem problem = make_problem("sum", parse_type(type));
            problem.row_length = row_length;
            std::size_t candidates = 0;
            for (const Family& f : families)
                candidates += db::candidates(f, test_support::h200(), problem, 64 * row_length).size();
            EXPECT_GT(candidates, 5U) << type << " in rows of " << row_length;
        }
    }
}

TEST(ShippedSpace, EveryNumberOfColumnsHasCandidates) {
    const std::vector<Family> families = jit::SourceSet::load().families();
    for (const std::uint64_t columns : {1, 2, 3, 8, 64, 1000, 65537, 1 << 20}) {
        for (const char* type : {"i8", "f32", "f64"}) {
            const Problem problem = with_shape(make_problem("sum", parse_type(type)), {.columns = columns});
            std::size_t candidates = 0;
            for (const Family& f : families)
                candidates += db::candidates(f, test_support::h200(), problem, 64 * columns).size();
            EXPECT_GT(candidates, 5U) << type << " in " << columns << " columns";
        }
    }
}

TEST(ShippedSpace, EverySizeHasCandidates) {
    const std::vector<Family> families = jit::SourceSet::load().families();
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3000}, std::uint64_t{1} << 33}) {
        std::size_t found = 0;
        for (const Family& f : families)
            found += candidates(f, test_support::h200(), make_problem("sum", Type::f32), n).size();
        EXPECT_GT(found, 10U) << n;
    }
}

}  // namespace
}  // namespace redtune::db
