#include "tuner/search/worker_channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "redtune/error.h"
#include "tests/support/random_values.h"

namespace redtune::search {
namespace {

using Outcome = WorkerChannel::Outcome;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A channel whose other end is a plain socket, or another channel.
class Ends {
  public:
    Ends() {
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets_.data()) != 0) throw Error("socketpair failed");
        channel.emplace(sockets_[0]);
    }
    ~Ends() { close_other(); }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;

    void write(const std::string& bytes) const {
        ASSERT_EQ(::send(sockets_[1], bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }
    void close_other() {
        if (sockets_[1] >= 0) close(sockets_[1]);
        sockets_[1] = -1;
    }
    int release_other() { return std::exchange(sockets_[1], -1); }

    std::optional<WorkerChannel> channel;

  private:
    std::array<int, 2> sockets_{-1, -1};
};

/// Returns limits that have expired already.
WorkerChannel::Until now() {
    return {WorkerChannel::Clock::now(), nullptr};
}

std::string receive(WorkerChannel& channel) {
    std::string message;
    EXPECT_EQ(channel.receive(message, {}), Outcome::done);
    return message;
}

RC_GTEST_PROP(WorkerChannelTest, MessagesArriveInOrder, ()) {
    Ends ends;
    WorkerChannel other(ends.release_other());
    std::vector<std::string> messages;
    for (int i = *rc::gen::inRange(0, 5); i > 0; --i) messages.push_back(test_support::any_text());
    for (const std::string& message : messages) RC_ASSERT(other.send(message, {}) == Outcome::done);
    for (const std::string& message : messages) RC_ASSERT(receive(*ends.channel) == message);
    RC_ASSERT(!ends.channel->has_unread());
}

TEST(WorkerChannelTest, ALongMessageArrivesWhole) {
    Ends ends;
    WorkerChannel other(ends.release_other());
    const std::string message(5'000'000, 'x');
    std::thread sender([&] { EXPECT_EQ(other.send(message, {}), Outcome::done); });
    EXPECT_EQ(receive(*ends.channel), message);
    sender.join();
}

TEST(WorkerChannelTest, AMessageInPiecesArrivesWhole) {
    Ends ends;
    const std::string frame = std::string("RDT1\0\0\0\5", 8) + "hello";
    std::string message;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        EXPECT_EQ(ends.channel->receive(message, now()), Outcome::expired) << i;
        ends.write(frame.substr(i, 1));
    }
    EXPECT_EQ(ends.channel->receive(message, now()), Outcome::done) << "it is there, although the time is over";
    EXPECT_EQ(message, "hello");
}

RC_GTEST_PROP(WorkerChannelTest, BytesThatBeginNoMessageAreRefused, ()) {
    Ends ends;
    const std::string bytes = test_support::any_text();
    RC_PRE(!bytes.empty() && !std::string_view("RDT1").starts_with(bytes.substr(0, 4)));
    ends.write(bytes);
    std::string message;
    RC_ASSERT_THROWS_AS(ends.channel->receive(message, now()), InputError);
}

TEST(WorkerChannelTest, AMessageThatIsTooLongIsRefusedBeforeItComes) {
    Ends ends;
    ends.write("RDT1\xff\xff\xff\xff");
    std::string message;
    EXPECT_THAT([&] { ends.channel->receive(message, {}); },
                ThrowsMessage<InputError>(HasSubstr("4294967295 bytes was announced; the most is")));
    EXPECT_THROW(ends.channel->send(std::string(WorkerChannel::most_bytes + 1, 'x'), {}), InputError);
}

TEST(WorkerChannelTest, AnEndInTheMiddleOfAMessageIsRefused) {
    Ends ends;
    ends.write(std::string("RDT1\0\0\0\5he", 10));
    ends.close_other();
    std::string message;
    EXPECT_THAT([&] { ends.channel->receive(message, {}); },
                ThrowsMessage<InputError>(HasSubstr("ends in the middle of a message, after 10 bytes")));
}

TEST(WorkerChannelTest, AClosedEndIsNoError) {
    Ends ends;
    ends.close_other();
    std::string message;
    EXPECT_EQ(ends.channel->receive(message, {}), Outcome::closed);
    EXPECT_EQ(ends.channel->send("hello", {}), Outcome::closed);
}

TEST(WorkerChannelTest, ClosingForSendingStillReceives) {
    Ends ends;
    WorkerChannel other(ends.release_other());
    ends.channel->close_for_sending();
    std::string message;
    EXPECT_EQ(other.receive(message, {}), Outcome::closed);
    EXPECT_EQ(other.send("last", {}), Outcome::done);
    EXPECT_EQ(receive(*ends.channel), "last");
}

TEST(WorkerChannelTest, TheStopFlagEndsBothWaits) {
    Ends ends;
    const std::atomic<bool> stop = true;
    std::string message;
    EXPECT_EQ(ends.channel->receive(message, {std::nullopt, &stop}), Outcome::stopped);
    // Nobody reads, so that the socket's buffer fills up.
    EXPECT_EQ(ends.channel->send(std::string(10'000'000, 'x'), {std::nullopt, &stop}), Outcome::stopped);
}

TEST(WorkerChannelTest, AFullSocketExpires) {
    Ends ends;
    EXPECT_EQ(ends.channel->send(std::string(10'000'000, 'x'), now()), Outcome::expired);
}

}  // namespace
}  // namespace redtune::search
