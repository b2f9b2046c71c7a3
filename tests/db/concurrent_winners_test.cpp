#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/support/store_write_fixture.h"

namespace redtune::db {
namespace {

class ConcurrentWinnersTest : public StoreWriteTest {};

TEST_F(ConcurrentWinnersTest, WinnersAreReadWhileAnotherConnectionReplacesThem) {
    add_winner(store_, h200(), problem_, 1 << 20, Regime::cold, candidate(1), 10);
    std::atomic<bool> stop = false;
    std::thread writer([&] {
        Store other = Store::open(store_.file(), Access::read_write);
        while (!stop) add_winner(other, h200(), problem_, 1 << 20, Regime::cold, candidate(), 9);
    });
    for (int i = 0; i < 300; ++i) EXPECT_EQ(store_.winners().size(), 1U);
    stop = true;
    writer.join();
}

}  // namespace
}  // namespace redtune::db
