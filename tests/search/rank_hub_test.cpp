// Connections to rank 0, from ranks and from strangers.
#include "tuner/search/rank_hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/devices.h"
#include "tuner/search/executor.h"
#include "tuner/search/rank_address.h"
#include "tuner/search/tcp.h"

namespace redtune::search {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr milliseconds a_minute{60'000};

class RankHubTest : public ::testing::Test {
  protected:
    Socket connect() const {
        auto socket = connect_within("127.0.0.1", address().port, a_minute);
        EXPECT_TRUE(socket);
        return std::move(*socket);
    }
    RankAddress address() const { return read_rank_address(file_, "job").value(); }

    UnitOffer offer(std::size_t rank, const std::string& token, std::size_t units = 1) const {
        return {token, rank, units, "GPU 0", 0, {}, test_support::h200(), {"0.1", "13.0", "580"}};
    }
    /// Sends a message and returns the byte that comes back; nullopt if the connection is closed instead.
    static std::optional<char> answer_to(const Socket& socket, const std::string& message) {
        WorkerChannel channel(dup(socket.descriptor()));
        channel.send(message, {});
        pollfd ready{socket.descriptor(), POLLIN, 0};
        poll(&ready, 1, static_cast<int>(a_minute.count()));
        char answer = 0;
        return recv(socket.descriptor(), &answer, 1, 0) == 1 ? std::optional(answer) : std::nullopt;
    }

    db::TemporaryFolder folder_;
    std::filesystem::path file_ = rank_address_file(folder_ / "test.db");
    std::atomic<bool> stop_ = false;
    RankHub hub_{file_, "job"};
};

TEST_F(RankHubTest, ARankWithTheTokenIsAcceptedAndItsConnectionIsAWorker) {
    const Socket rank = connect();
    EXPECT_EQ(answer_to(rank, to_message(offer(1, address().token))), 'A');
    const std::vector<UnitOffer> units = hub_.await_ranks(1, a_minute, stop_);
    ASSERT_EQ(units.size(), 1U);
    EXPECT_EQ(units[0].name(), "rank 1: GPU 0");
    EXPECT_EQ(units[0].device.uuid, test_support::h200().uuid);
    const auto worker = hub_.workers_of(units[0], stop_)();
    WorkerChannel of_rank(dup(rank.descriptor()));
    EXPECT_EQ(of_rank.send("hello", {}), WorkerChannel::Outcome::done);
    std::string message;
    EXPECT_EQ(worker->channel().receive(message, {}), WorkerChannel::Outcome::done);
    EXPECT_EQ(message, "hello");
    worker->kill();
    EXPECT_EQ(of_rank.receive(message, {}), WorkerChannel::Outcome::closed);
    EXPECT_THAT(worker->blameless_loss().value(), HasSubstr("rank 1: GPU 0"));
}

TEST_F(RankHubTest, StrangersAreTurnedAway) {
    EXPECT_EQ(answer_to(connect(), to_message(offer(1, "guess"))), std::nullopt);
    EXPECT_EQ(answer_to(connect(), to_message(offer(1, ""))), std::nullopt);
    EXPECT_EQ(answer_to(connect(), "GET / HTTP/1.1"), std::nullopt);
    EXPECT_EQ(answer_to(connect(), R"({"offer":"unit"})"), std::nullopt);
    const Socket raw = connect();
    ASSERT_EQ(send(raw.descriptor(), "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL), 18);
    char byte = 0;
    EXPECT_LE(recv(raw.descriptor(), &byte, 1, 0), 0);
    stop_ = true;
    EXPECT_TRUE(hub_.await_ranks(1, a_minute, stop_).empty());
}

TEST_F(RankHubTest, ARankIsThereWhenAllItsUnitsAre) {
    const Socket first = connect();
    const Socket second = connect();
    answer_to(first, to_message(offer(1, address().token, 2)));
    EXPECT_EQ(hub_.await_ranks(1, milliseconds(0), stop_).size(), 1U) << "the time is over";
    UnitOffer other = offer(1, address().token, 2);
    other.label = "GPU 1";
    answer_to(second, to_message(other));
    EXPECT_EQ(hub_.await_ranks(1, a_minute, stop_).size(), 2U);
}

TEST_F(RankHubTest, WaitingForAWorkerEndsWithTheSweep) {
    stop_ = true;
    EXPECT_THROW(hub_.workers_of(offer(1, ""), stop_)(), Stopped);
}

TEST_F(RankHubTest, TheAddressIsForThisUserAndThisJob) {
    const auto permissions = std::filesystem::status(file_).permissions();
    EXPECT_EQ(permissions & (std::filesystem::perms::group_all | std::filesystem::perms::others_all),
              std::filesystem::perms::none);
    EXPECT_FALSE(read_rank_address(file_, "another job"));
    EXPECT_FALSE(read_rank_address(folder_ / "none", "job"));
    std::ofstream(folder_ / "strange") << "[1, 2";
    EXPECT_FALSE(read_rank_address(folder_ / "strange", "job"));
    EXPECT_EQ(address().token.size(), 32U);
    EXPECT_EQ(address().host, host_name());
}

TEST_F(RankHubTest, TheAddressIsRemovedAtTheEnd) {
    const auto file = rank_address_file(folder_ / "other.db");
    { const RankHub hub(file, "job"); }
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(UnitOfferTest, ComesBackAsItWasSent) {
    const UnitOffer sent{"secret", 3, 2, "GPU 1", 1, {}, test_support::h200(), {"0.1", "13.0", "580"}};
    const UnitOffer read = offer_from_message(to_message(sent));
    EXPECT_EQ(to_message(read), to_message(sent));
    EXPECT_EQ(read.device.sm_count, test_support::h200().sm_count);
    EXPECT_EQ(read.name(), "rank 3: GPU 1");
    EXPECT_THAT([] { offer_from_message("{}"); }, ThrowsMessage<InputError>(HasSubstr("an offer cannot be read")));
    EXPECT_THAT([] { offer_from_message(R"({"offer":"cell"})"); },
                ThrowsMessage<InputError>(HasSubstr("it offers no unit")));
}

}  // namespace
}  // namespace redtune::search
