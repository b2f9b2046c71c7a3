#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/connection.h"
#include "tests/search/worker_fixture.h"

namespace redtune::search {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FinalistTest : public WorkerExecutorTest {
  protected:
    FinalistTest() {
        // The two best are near enough to be compared.
        families_ = parse_families("fake.cuh", R"(/*redtune
family = "fake"
[compile]
block = [126, 127, 128]
[launch]
blocks_per_sm = [1]
[derived]
tile = "block"
grid = "'blocks_per_sm'"
*/)");
        families_[0].code_hash = "hash";
    }
    const std::string finalist_ = "fake(block=127, blocks_per_sm=1)";
};

TEST_F(FinalistTest, TheCulpritOfAComparisonIsFoundAndTheOthersAreComparedAgain) {
    data_.push_back(timing::data_of(timing::DataKind::outlier));
    misbehave("compare " + finalist_ + " = segfault");
    run();
    EXPECT_EQ(winners_in(store_), winners_in_process());
    EXPECT_THAT(failures(), ElementsAre("fault n=262144 final", "fault n=1048576 final")) << "on the first data only";
    EXPECT_EQ(store_.connection().value("SELECT count(DISTINCT parameters) FROM measurements WHERE stage = 'final' AND "
                                        "status = 'ok' AND data = 'outlier'"),
              2);
    EXPECT_THAT(events("data outlier"), ::testing::SizeIs(2));
}

TEST_F(FinalistTest, ALostFinalistIsNotRunAgainWhereItsCellWasNotDecided) {
    misbehave("compare " + finalist_ + " = segfault");
    run();
    db::Connection::open(folder_ / "test.db", db::OpenMode::create)
        .execute("DELETE FROM winner; DELETE FROM unit_winner");
    const std::size_t before = events("compare " + finalist_).size();
    run();
    EXPECT_EQ(events("compare " + finalist_).size(), before);
    EXPECT_EQ(winners_in(store_), winners_in_process());
    EXPECT_EQ(failures().size(), 2U);
}

TEST_F(FinalistTest, ALostFinalistIsNotRunAgainAtSizesBetween) {
    between_ = 2;
    misbehave("compare " + finalist_ + " = segfault");
    run();
    EXPECT_EQ(winners_in(store_), winners_in_process());
    const std::size_t before = events("compare " + finalist_).size();
    db::Connection::open(folder_ / "test.db", db::OpenMode::create)
        .execute("DELETE FROM winner; DELETE FROM unit_winner");
    run();
    EXPECT_EQ(events("compare " + finalist_).size(), before);
    EXPECT_EQ(winners_in(store_), winners_in_process());
}

TEST_F(FinalistTest, FinalistsThatAreLostOnlyTogetherAreMeasuredAlone) {
    misbehave("compare several = exit");
    EXPECT_EQ(run().failed, 0U);
    EXPECT_THAT(failures(), IsEmpty());
    EXPECT_EQ(winners_in(store_), winners_in_process());
}

}  // namespace
}  // namespace redtune::search
