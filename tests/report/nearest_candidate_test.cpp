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

Parameter whole(const char* name, std::int64_t value) {
    return {name, value};
}
Parameter finish(const char* name) {
    return {"finish", std::string(name)};
}

std::string nearest(const std::vector<Candidate>& candidates, const std::vector<Parameter>& wanted) {
    const auto found = nearest_candidate(candidates, wanted);
    return found ? to_string(found->configuration) : "none";
}

TEST(NearestCandidate, IsTheOneThatMatches) {
    const std::vector<Candidate> all = {candidate({whole("block", 64), whole("blocks", 512)}),
                                        candidate({whole("block", 256), whole("blocks", 512)}),
                                        candidate({whole("block", 256), whole("blocks", 1024)})};
    EXPECT_EQ(nearest(all, {whole("block", 256), whole("blocks", 1024)}), "f(block=256, blocks=1024)");
}

TEST(NearestCandidate, StandsInForAValueThatIsNotThere) {
    const std::vector<Candidate> all = {candidate({whole("block", 64)}), candidate({whole("block", 512)}),
                                        candidate({whole("block", 1024)})};
    EXPECT_EQ(nearest(all, {whole("block", 700)}), "f(block=512)");
    EXPECT_EQ(nearest(all, {whole("block", 1)}), "f(block=64)");
}

TEST(NearestCandidate, PutsTheFirstWantedParameterFirst) {
    const std::vector<Candidate> all = {candidate({whole("block", 64), whole("lanes", 32)}),
                                        candidate({whole("block", 256), whole("lanes", 2)})};
    EXPECT_EQ(nearest(all, {whole("block", 256), whole("lanes", 32)}), "f(block=256, lanes=2)");
}

TEST(NearestCandidate, FinishesWithASecondKernelWhereItCan) {
    const std::vector<Candidate> all = {candidate({whole("block", 256), finish("atomic")}),
                                        candidate({whole("block", 256), finish("two_kernel")}),
                                        candidate({whole("block", 256), finish("ticket")})};
    EXPECT_EQ(nearest(all, {whole("block", 256)}), "f(block=256, finish=two_kernel)");
    EXPECT_EQ(nearest(all, {finish("ticket")}), "f(block=256, finish=ticket)");
}

TEST(NearestCandidate, IsTheFirstOfEquals) {
    const std::vector<Candidate> all = {candidate({whole("unroll", 1)}), candidate({whole("unroll", 2)})};
    EXPECT_EQ(nearest(all, {whole("block", 256)}), "f(unroll=1)");
    EXPECT_EQ(nearest({}, {whole("block", 256)}), "none");
}

TEST(NearestCandidate, ComparesFractionsWithWholeNumbers) {
    const std::vector<Candidate> all = {candidate({{"blocks_per_sm", 0.5}}), candidate({whole("blocks_per_sm", 4)})};
    EXPECT_EQ(nearest(all, {whole("blocks_per_sm", 1)}), "f(blocks_per_sm=0.5)");
}

}  // namespace
}  // namespace redtune::report
