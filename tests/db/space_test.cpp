#include "db/space.h"

#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tests/support/devices.h"
#include "tuner/core/finish.h"

namespace redtune::db {
namespace {

/// Returns the family `f` with these lines in [compile], [launch] and [derived].
Family family(const std::string& compile, const std::string& launch, const std::string& derived) {
    return parse_families("f.cuh", "/*redtune\nfamily = \"f\"\n[compile]\n" + compile + "\n[launch]\n" + launch +
                                       "\n[derived]\n" + derived + "\n*/\n")
        .front();
}

/// Returns the family's candidates for a sum of n floats on an H200.
std::vector<Candidate> candidates_of(const Family& family, std::uint64_t n = 1 << 20) {
    return candidates(family, test_support::h200(), make_problem("sum", Type::f32), n);
}

/// Returns the error message of candidates_of(); "" if there is no error.
std::string error_of(const Family& family) {
    try {
        candidates_of(family);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(Space, IsTheCrossProductInTheOrderOfTheFile) {
    const auto all = candidates_of(family("block = [128, 64]\nunroll = [1, 2]", "", "tile = \"block * unroll\""));
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(to_string(all[0].configuration), "f(block=128, unroll=1)");
    EXPECT_EQ(to_string(all[3].configuration), "f(block=64, unroll=2)");
    EXPECT_EQ(all[3].rule.block, 64U);
    EXPECT_EQ(all[3].rule.tile, 128U);
}

TEST(Space, DerivedValuesMayUseEarlierOnes) {
    const auto all = candidates_of(family("block = [32, 64, 128]", "",
                                          "tile = \"block * 4\"\nhalf = \"tile / 2\"\nshared_bytes = \"half\"\n"
                                          "where = [\"half > 64\", \"half < 256\"]"));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].rule.block, 64U);
    EXPECT_EQ(all[0].rule.shared_bytes, 128U);
}

TEST(Space, ExpressionsKnowDeviceProblemAndSize) {
    const Family f =
        family("block = [32]", "",
               "tile = \"input_bytes * 100 + compute_capability\"\nslot_bytes = \"accumulator_bytes\"\n"
               "where = [\"n = 1048576\", \"sm_count = 132\", \"l2_bytes = 62914560\", \"warp_size = 32\"]");
    const auto all = candidates_of(f);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].rule.tile, 490U);
    EXPECT_EQ(all[0].rule.slot_bytes, 4U);
    EXPECT_TRUE(candidates_of(f, 1000).empty());
}

TEST(Space, ExpressionsKnowWhetherCallsAreBackToBack) {
    const Family f = family("block = [32]\npdl = [0, 1]", "", "tile = 1\nwhere = [\"pdl <= back_to_back\"]");
    const auto in = [&](Regime regime) {
        return candidates(f, test_support::h200(), make_problem("sum", Type::f32), 1, regime);
    };
    for (const Regime regime : {Regime::cold, Regime::warm}) {
        ASSERT_EQ(in(regime).size(), 1U);
        EXPECT_FALSE(in(regime)[0].rule.pdl);
    }
    ASSERT_EQ(in(Regime::back_to_back).size(), 2U);
    EXPECT_FALSE(in(Regime::back_to_back)[0].rule.pdl);
    EXPECT_TRUE(in(Regime::back_to_back)[1].rule.pdl);
}

/// Returns a family with one block size and the given finishes.
Family family_with_finishes(const std::string& finishes, const std::string& launch = "",
                            const std::string& derived = "") {
    return family("block = [32]\nfinish = [" + finishes + "]", launch, "tile = 32\n" + derived);
}

TEST(Space, AFinishDeterminesItsLaunchValues) {
    const auto all = candidates_of(
        family_with_finishes(R"("two_kernel", "dependent", "ticket", "publish", "atomic", "packed")"), 1 << 12);
    ASSERT_EQ(all.size(), 6U);
    for (const Candidate& candidate : all) {
        const Finish finish = parse_finish(to_string(*candidate.configuration.find("finish")));
        const Problem problem = make_problem("sum", Type::f32);
        EXPECT_EQ(candidate.rule.continuation, traits_of(finish).continuation) << to_string(finish);
        EXPECT_EQ(candidate.rule.combine_pdl, finish == Finish::dependent) << to_string(finish);
        EXPECT_EQ(candidate.rule.slot_bytes, slot_bytes(finish, problem)) << to_string(finish);
        EXPECT_EQ(candidate.rule.slots_zeroed, needs_zeroed_slots(finish, problem)) << to_string(finish);
        EXPECT_EQ(candidate.deterministic, finish != Finish::atomic) << to_string(finish);
    }
}

TEST(Space, UnsupportedFinishesAreLeftOut) {
    const Family all = family_with_finishes(R"("two_kernel", "dependent", "publish", "atomic", "packed")");
    const auto names = [&](const DeviceInfo& device, const Problem& problem, std::uint64_t n) {
        std::string found;
        for (const Candidate& candidate : candidates(all, device, problem, n)) {
            found += (found.empty() ? "" : " ") + to_string(*candidate.configuration.find("finish"));
        }
        return found;
    };
    const Problem sum = make_problem("sum", Type::f32);
    const std::uint64_t most = 32 * most_blocks(Finish::packed, sum);
    EXPECT_EQ(names(test_support::h200(), sum, most), "two_kernel dependent publish atomic packed");
    EXPECT_EQ(names(test_support::h200(), sum, most + 1), "two_kernel dependent publish atomic")
        << "the grid has more blocks than the finish `packed` can count";
    DeviceInfo turing = test_support::h200();
    turing.compute_major = 7;
    turing.compute_minor = 5;
    EXPECT_EQ(names(turing, sum, 1 << 12), "two_kernel publish atomic packed");
    EXPECT_EQ(names(test_support::h200(), make_problem("argmin", Type::f32), 1 << 12), "two_kernel dependent publish");
    EXPECT_EQ(names(test_support::h200(), make_problem("max", Type::f32), 1 << 12),
              "two_kernel dependent publish atomic");
}

TEST(Space, OnlyClusterFinishesHaveClusters) {
    const auto all =
        candidates_of(family_with_finishes(R"("publish", "cluster_publish")", "cluster = [1, 2, 4]"), 1 << 12);
    std::vector<std::string> names;
    for (const Candidate& candidate : all) names.push_back(to_string(candidate.configuration));
    EXPECT_EQ(names, (std::vector<std::string>{"f(block=32, finish=publish, cluster=1)",
                                               "f(block=32, finish=cluster_publish, cluster=2)",
                                               "f(block=32, finish=cluster_publish, cluster=4)"}));
    EXPECT_TRUE(candidates_of(family_with_finishes(R"("cluster_publish")"), 1 << 12).empty())
        << "a family without clusters";
}

TEST(Space, AFamilyMayOverrideAValueOfItsFinish) {
    const auto all = candidates_of(family_with_finishes(R"("two_kernel")", "", "continuation = \"'repeat'\""), 1 << 12);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].rule.continuation, Continuation::repeat);
    EXPECT_EQ(all[0].rule.slot_bytes, 4U) << "the finish determines the other values";
}

TEST(Space, ExpressionsMayUseTheValuesOfAFinish) {
    const auto all = candidates_of(
        family_with_finishes(R"("ticket", "publish")", "", "where = [\"slots_zeroed\", \"slot_bytes = 8\"]"), 1 << 12);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(to_string(*all[0].configuration.find("finish")), "publish");
}

TEST(Space, ClustersAndPdlNeedHopper) {
    DeviceInfo ada = test_support::h200();
    ada.compute_major = 8;
    ada.compute_minor = 9;
    for (const char* derived : {"cluster = 2", "pdl = 1", "combine_pdl = 1"}) {
        const Family f = family("block = [32]", "", "tile = 32\n" + std::string(derived));
        EXPECT_EQ(candidates(f, test_support::h200(), make_problem("sum", Type::f32), 1 << 12).size(), 1U) << derived;
        EXPECT_TRUE(candidates(f, ada, make_problem("sum", Type::f32), 1 << 12).empty()) << derived;
    }
}

TEST(Space, KeepsOneCandidateForEachKernelAndGrid) {
    const Family f =
        family("block = [256]", "blocks_per_sm = [0, 0.5, 1, 2, 4]", "tile = 4096\ngrid = \"'blocks_per_sm'\"");
    EXPECT_EQ(candidates_of(f, 1 << 30).size(), 5U);
    const auto few = candidates_of(f, 100 * 4096);  // 100 tiles, fewer than the 132 SMs
    ASSERT_EQ(few.size(), 2U);
    EXPECT_EQ(to_string(*few[0].configuration.find("blocks_per_sm")), "0");
    EXPECT_EQ(to_string(*few[1].configuration.find("blocks_per_sm")), "0.5");
}

TEST(Space, LeavesOutCandidatesThatTheDeviceOrProblemForbids) {
    Family f = family("block = [32]", "", "tile = 1\ndeterministic = 0");
    EXPECT_EQ(candidates_of(f).size(), 1U);
    Problem problem = make_problem("sum", Type::f32);
    problem.determinism = Determinism::run_to_run;
    EXPECT_TRUE(candidates(f, test_support::h200(), problem, 1).empty());
    f.minimum_compute_capability = 100;
    EXPECT_TRUE(candidates_of(f).empty());
}

TEST(Space, ErrorsNameTheLineOfAWrongExpression) {
    const std::string message = error_of(family("block = [32]", "", "tile = \"blok * 4\""));
    EXPECT_EQ(message.find("f.cuh:8: 'tile' is not a valid SQL expression: blok * 4: no such column: blok"), 0U)
        << message;
    for (const char* name :
         {"it may use n, row_length, rows, columns, input_bytes", "arrays", "exact", "accumulator_is_input"}) {
        EXPECT_NE(message.find(name), std::string::npos) << message;
    }
    EXPECT_TRUE(message.ends_with("; did you mean 'block'?")) << message;
}

TEST(Space, RejectsSqlThatIsNotOneExpression) {
    for (const char* sql : {"1) FROM sqlite_master; DROP TABLE x; SELECT (1", "(SELECT load_extension('x'))",
                            "1; SELECT 2", "1 --", "nosuch(1)", ""}) {
        const std::string message = error_of(family("block = [32]", "", "tile = \"" + std::string(sql) + "\""));
        // An SQL comment ends at the end of its line and is harmless. Every other text must be rejected with its line.
        if (std::string(sql) == "1 --") {
            EXPECT_EQ(message, "");
        } else {
            EXPECT_EQ(message.find("f.cuh:8:"), 0U) << sql << ": " << message;
        }
    }
}

TEST(Space, BytesInFlightAreThoseThatTheFamilyDerives) {
    EXPECT_EQ(
        candidates_of(family("block = [64]", "", "tile = 1\nbytes_in_flight = \"block * 16\""))[0].bytes_in_flight,
        1024U);
    EXPECT_EQ(candidates_of(family("block = [64]", "", "tile = 1"))[0].bytes_in_flight, 0U);
}

TEST(Space, RejectsValuesThatNoLaunchCanHave) {
    for (const char* derived :
         {"tile = 0", "tile = \"'x'\"", "tile = \"block * 1.5\"", "tile = \"NULL\"", "tile = 1\nslot_bytes = -1",
          "tile = 1\ngrid = \"'many'\"", "tile = 1\nrows_per_block = 0", "tile = 1\nblocks_per_row = 0",
          "tile = 1\ngrid = \"'blocks'\"\nblocks = 0", "tile = 1\ngrid = \"'blocks_per_sm'\"",
          "tile = 1\ncontinuation = \"'again'\"", "tile = 1\nbytes_in_flight = -1"}) {
        EXPECT_NE(error_of(family("block = [32]", "", derived)), "") << derived;
    }
    EXPECT_NE(error_of(family("block = [2048]", "", "tile = 1")).find("1024"), std::string::npos);
}

TEST(Space, RejectsASpaceThatIsTooLarge) {
    std::string compile = "block = [32]\n";
    for (char name = 'a'; name < 'h'; ++name) {
        compile += std::string(1, name) + "x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]\n";
    }
    const std::string message = error_of(family(compile, "", "tile = 1\nwhere = [\"ax + gx < 0\"]"));
    EXPECT_NE(message.find("too large"), std::string::npos) << message;
}

/// Returns the problem of summing rows of floats.
Problem row_sum_problem(std::uint64_t row_length) {
    Problem problem = make_problem("sum", Type::f32);
    problem.row_length = row_length;
    return problem;
}

TEST(Space, FamiliesHaveCandidatesForTheirShapesOnly) {
    Family f = family("block = [32]", "", "tile = 1");
    EXPECT_TRUE(candidates(f, test_support::h200(), row_sum_problem(32), 1 << 10).empty());
    f.shapes = {"rows"};
    EXPECT_TRUE(candidates_of(f).empty());
    EXPECT_EQ(candidates(f, test_support::h200(), row_sum_problem(32), 1 << 10).size(), 1U);
    f.shapes = {"rows", "whole"};
    EXPECT_EQ(candidates_of(f).size(), 1U);
}

TEST(Space, DestructiveFamiliesAreForDestructiveProblemsOnly) {
    Family f = family("block = [32]", "", "tile = 1");
    f.destructive = true;
    EXPECT_TRUE(candidates_of(f).empty());
    Problem problem = make_problem("sum", Type::f32);
    problem.destructive = true;
    const auto allowed = candidates(f, test_support::h200(), problem, 1 << 10);
    ASSERT_EQ(allowed.size(), 1U);
    EXPECT_TRUE(allowed[0].destructive);
    f.destructive = false;
    const auto harmless = candidates(f, test_support::h200(), problem, 1 << 10);
    ASSERT_EQ(harmless.size(), 1U) << "a family that does not overwrite the input is a candidate, too";
    EXPECT_FALSE(harmless[0].destructive);
}

TEST(Space, ExpressionsKnowTheRows) {
    Family f = family("block = [256]\nlanes = [8, 32]", "",
                      "tile = \"row_length\"\ngrid = \"'rows'\"\nrows_per_block = \"block / lanes\"\n"
                      "where = [\"rows = 64\"]");
    f.shapes = {"rows"};
    const auto all = candidates(f, test_support::h200(), row_sum_problem(100), 6400);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].rule.grid, GridRule::rows);
    EXPECT_EQ(all[0].rule.tile, 100U);
    EXPECT_EQ(all[0].rule.rows_per_block, 32U);
    EXPECT_EQ(all[1].rule.rows_per_block, 8U);
    EXPECT_EQ(all[0].rule.blocks_per_row, 1U);
    EXPECT_TRUE(candidates(f, test_support::h200(), row_sum_problem(100), 6500).empty());
}

TEST(Space, ExpressionsKnowTheColumns) {
    Family f =
        family("block = [256]\nlanes = [8, 32]", "",
               "tile = \"block\"\ngrid = \"'columns'\"\ncolumns_per_block = \"lanes\"\nparts = \"columns / 20\"\n"
               "continuation = \"'combine_partials'\"\nwhere = [\"row_length = 64 and n = 64 * columns\"]");
    f.shapes = {"columns"};
    Problem problem = make_problem("sum", Type::f32);
    problem.columns = 100;
    const auto all = candidates(f, test_support::h200(), problem, 6400);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].rule.grid, GridRule::columns);
    EXPECT_EQ(all[0].rule.columns_per_block, 8U);
    EXPECT_EQ(all[0].rule.parts, 5U);
    EXPECT_TRUE(candidates(f, test_support::h200(), row_sum_problem(100), 6400).empty()) << "it does not reduce rows";
    f.derived.back() = {"continuation", "'none'", f.derived.back().line};
    EXPECT_THROW(candidates(f, test_support::h200(), problem, 6400), InputError) << "parts leave partial results";
    f.derived.push_back({"slots_zeroed", "1", f.derived.back().line});
    EXPECT_EQ(candidates(f, test_support::h200(), problem, 6400).size(), 2U) << "which they publish";
}

TEST(Space, ExpressionsKnowTypesArraysAndExactness) {
    const auto fits = [](const std::string& where, const Problem& problem) {
        return candidates(family("block = [32]", "", "tile = 1\nwhere = [\"" + where + "\"]"), test_support::h200(),
                          problem, 1 << 10)
                   .size() == 1;
    };
    EXPECT_TRUE(fits("arrays = 2 and input_bytes = 2 and accumulator_bytes = 4", make_problem("dot", Type::f16)));
    EXPECT_TRUE(fits("arrays = 1 and accumulator_bytes = 16 and output_bytes = 8", make_problem("argmin", Type::i8)));
    EXPECT_TRUE(fits("rows = 1 and row_length = n", make_problem("sum", Type::f32)));
    EXPECT_TRUE(fits("not exact", make_problem("sum", Type::f32)));
    EXPECT_TRUE(fits("exact = 1", make_problem("max", Type::f32)));
    EXPECT_TRUE(fits("exact = 1", make_problem("sum", Type::i32)));
    EXPECT_TRUE(fits("accumulator_is_input = 1", make_problem("sum", Type::i32)));
    EXPECT_TRUE(fits("not accumulator_is_input", make_problem("sum", Type::i8)));
    EXPECT_TRUE(fits("not accumulator_is_input", make_problem("sum", Type::i32, Type::f64)));
    EXPECT_TRUE(fits("not accumulator_is_input", make_problem("argmax", Type::f32)))
        << "the accumulator is a pair of value and index";
}

TEST(Space, OfEqualFixedGridsTheFewestBlocksAreKept) {
    const Family f = family("block = [256]", "blocks = [1056, 132, 264]", "tile = 4096\ngrid = \"'blocks'\"");
    EXPECT_EQ(candidates_of(f, 1 << 30).size(), 3U);
    const auto few = candidates_of(f, 200 * 4096);
    ASSERT_EQ(few.size(), 2U);
    std::set<std::string> blocks;
    for (const Candidate& candidate : few) blocks.insert(to_string(*candidate.configuration.find("blocks")));
    EXPECT_EQ(blocks, (std::set<std::string>{"132", "264"}));
    EXPECT_NE(error_of(family("block = [256]", "", "tile = 1\ngrid = \"'blocks'\"")).find("blocks"), std::string::npos)
        << "grid 'blocks' needs a value for 'blocks'";
}

}  // namespace
}  // namespace redtune::db
