#include "tuner/report/nearest_candidate.h"

#include <gtest/gtest.h>

#include <string>

namespace redtune::report {
namespace {

Candidate candidate(std::vector<Parameter> parameters) {
    Candidate candidate;
    candidate.configuration = {"f", std::move(parameters)};
    return candidate;
}

Parameter integer_parameter(const char* name, std::int64_t value) {
    return {name, value};
}
Parameter parameter_finish(const char* name) {
    return {"finish", std::string(name)};
}

std::string nearest(const std::vector<Candidate>& candidates, const std::vector<Parameter>& wanted) {
    const auto found = nearest_candidate(candidates, wanted);
    return found ? to_string(found->configuration) : "none";
}

TEST(NearestCandidate, IsTheOneThatMatches) {
    const std::vector<Candidate> all = {
        candidate({integer_parameter("block", 64), integer_parameter("blocks", 512)}),
        candidate({integer_parameter("block", 256), integer_parameter("blocks", 512)}),
        candidate({integer_parameter("block", 256), integer_parameter("blocks", 1024)})};
    EXPECT_EQ(nearest(all, {integer_parameter("block", 256), integer_parameter("blocks", 1024)}),
              "f(block=256, blocks=1024)");
}

TEST(NearestCandidate, StandsInForAValueThatIsNotThere) {
    const std::vector<Candidate> all = {candidate({integer_parameter("block", 64)}),
                                        candidate({integer_parameter("block", 512)}),
                                        candidate({integer_parameter("block", 1024)})};
    EXPECT_EQ(nearest(all, {integer_parameter("block", 700)}), "f(block=512)");
    EXPECT_EQ(nearest(all, {integer_parameter("block", 1)}), "f(block=64)");
}

TEST(NearestCandidate, PutsTheFirstWantedParameterFirst) {
    const std::vector<Candidate> all = {candidate({integer_parameter("block", 64), integer_parameter("lanes", 32)}),
                                        candidate({integer_parameter("block", 256), integer_parameter("lanes", 2)})};
    EXPECT_EQ(nearest(all, {integer_parameter("block", 256), integer_parameter("lanes", 32)}), "f(block=256, lanes=2)");
}

TEST(NearestCandidate, FinishesWithASecondKernelWhereItCan) {
    const std::vector<Candidate> all = {candidate({integer_parameter("block", 256), parameter_finish("atomic")}),
                                        candidate({integer_parameter("block", 256), parameter_finish("two_kernel")}),
                                        candidate({integer_parameter("block", 256), parameter_finish("ticket")})};
    EXPECT_EQ(nearest(all, {integer_parameter("block", 256)}), "f(block=256, finish=two_kernel)");
    EXPECT_EQ(nearest(all, {parameter_finish("ticket")}), "f(block=256, finish=ticket)");
}

TEST(NearestCandidate, IsTheFirstOfEquals) {
    const std::vector<Candidate> all = {candidate({integer_parameter("unroll", 1)}),
                                        candidate({integer_parameter("unroll", 2)})};
    EXPECT_EQ(nearest(all, {integer_parameter("block", 256)}), "f(unroll=1)");
    EXPECT_EQ(nearest({}, {integer_parameter("block", 256)}), "none");
}

TEST(NearestCandidate, ComparesFractionsWithWholeNumbers) {
    const std::vector<Candidate> all = {candidate({{"blocks_per_sm", 0.5}}),
                                        candidate({integer_parameter("blocks_per_sm", 4)})};
    EXPECT_EQ(nearest(all, {integer_parameter("blocks_per_sm", 1)}), "f(blocks_per_sm=0.5)");
}

}  // namespace
}  // namespace redtune::report
