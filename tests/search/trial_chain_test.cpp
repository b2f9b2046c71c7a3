#include "tuner/search/trial_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "redtune/error.h"
#include "tuner/search/executor.h"

namespace redtune::search {
namespace {

/// A client with some trials of one size.
class Client final : public TrialQueue {
  public:
    Client(std::uint64_t n, std::size_t trials) : n_(n), trials_(trials) {}

    std::optional<TrialRequest> next() override {
        if (taken_ == trials_) return std::nullopt;
        ++taken_;
        return TrialRequest{nullptr, n_};
    }
    void report(Measurement measurement, bool) override {
        if (fails_at_report) throw InputError("the disk is full");
        reported.push_back(measurement.median_us);
    }

    TrialChain::Link link() {
        end = promise_.get_future();
        return {this, [this](const std::exception_ptr& failure) {
                    failure == nullptr ? promise_.set_value() : promise_.set_exception(failure);
                }};
    }
    bool has_ended() const { return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

    std::vector<double> reported;
    std::future<void> end;
    bool fails_at_report = false;

  private:
    std::promise<void> promise_;
    std::uint64_t n_;
    std::size_t trials_;
    std::size_t taken_ = 0;
};

/// Returns a function that returns the links of these clients in turn.
TrialChain::NextLink one_after_another(std::vector<Client*> clients) {
    return [clients, i = std::size_t{0}]() mutable -> std::optional<TrialChain::Link> {
        if (i == clients.size()) return std::nullopt;
        return clients[i++]->link();
    };
}

Measurement measurement(double us) {
    Measurement measurement;
    measurement.median_us = us;
    return measurement;
}

template <class Error>
bool has_thrown(Client& client) {
    try {
        client.end.get();
    } catch (const Error&) {
        return true;
    } catch (...) {
    }
    return false;
}

TEST(TrialChainTest, TheTrialsOfTheNextClientAreTakenBeforeTheLastOnesAreMeasured) {
    Client first(1, 2);
    Client second(2, 1);
    TrialChain chain(first.link(), one_after_another({&second}));
    EXPECT_EQ(chain.next()->n, 1U);
    EXPECT_EQ(chain.next()->n, 1U);
    EXPECT_EQ(chain.next()->n, 2U);
    EXPECT_EQ(chain.next(), std::nullopt);
    EXPECT_FALSE(first.has_ended());
    chain.report(measurement(10), true);
    chain.report(measurement(11), true);
    EXPECT_TRUE(first.has_ended());
    EXPECT_FALSE(second.has_ended());
    chain.report(measurement(20), false);
    EXPECT_TRUE(second.has_ended());
    EXPECT_THAT(first.reported, testing::ElementsAre(10, 11));
    EXPECT_THAT(second.reported, testing::ElementsAre(20));
}

TEST(TrialChainTest, AClientWithoutTrialsEndsAtOnce) {
    Client first(1, 0);
    Client second(2, 1);
    TrialChain chain(first.link(), one_after_another({&second}));
    EXPECT_EQ(chain.next()->n, 2U);
    EXPECT_TRUE(first.has_ended());
}

TEST(TrialChainTest, TheClientWhoseTrialFailedGetsTheErrorAndTheOthersStopped) {
    Client first(1, 1);
    Client second(2, 1);
    Client third(3, 2);
    TrialChain chain(first.link(), one_after_another({&second, &third}));
    for (int i = 0; i < 3; ++i) chain.next();
    chain.report(measurement(10), true);
    chain.fail(std::make_exception_ptr(DeviceError("lost")));
    EXPECT_NO_THROW(first.end.get());
    EXPECT_TRUE(has_thrown<DeviceError>(second));
    EXPECT_TRUE(has_thrown<Stopped>(third));
}

TEST(TrialChainTest, TheClientThatCouldNotTakeAMeasurementGetsItsError) {
    Client first(1, 1);
    Client second(2, 1);
    first.fails_at_report = true;
    TrialChain chain(first.link(), one_after_another({&second}));
    for (int i = 0; i < 2; ++i) chain.next();
    EXPECT_THROW(chain.report(measurement(10), true), InputError);
    chain.fail(std::make_exception_ptr(InputError("the disk is full")));
    EXPECT_TRUE(has_thrown<InputError>(first));
    EXPECT_TRUE(has_thrown<Stopped>(second));
}

RC_GTEST_PROP(TrialChainTest, EachClientGetsTheMeasurementsOfItsTrialsInOrder, ()) {
    const auto counts = *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::inRange<std::uint8_t>(0, 5));
    std::vector<std::unique_ptr<Client>> clients;
    std::vector<Client*> later;
    for (std::size_t i = 0; i <= counts.size(); ++i) {
        clients.push_back(std::make_unique<Client>(i, i == 0 ? 2 : counts[i - 1]));
        if (i != 0) later.push_back(clients.back().get());
    }
    TrialChain chain(clients.front()->link(), one_after_another(later));
    std::deque<double> in_hand;
    double number = 0;
    std::vector<std::vector<double>> expected(clients.size());
    const auto report = [&] {
        chain.report(measurement(in_hand.front()), in_hand.size() > 1);
        in_hand.pop_front();
    };
    while (const auto request = chain.next()) {
        expected[request->n].push_back(number);
        in_hand.push_back(number++);
        if (*rc::gen::arbitrary<bool>()) report();
    }
    while (!in_hand.empty()) report();
    for (std::size_t i = 0; i < clients.size(); ++i) {
        RC_ASSERT(clients[i]->reported == expected[i]);
        RC_ASSERT(clients[i]->has_ended());
    }
}

}  // namespace
}  // namespace redtune::search
