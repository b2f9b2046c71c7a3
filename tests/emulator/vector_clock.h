// Sparse vector clocks, which tell which accesses of other threads happened before a point of a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace emulator {

/// The accesses that a vector clock covers: they happened before the point that the clock describes. Each list has
/// pairs of a key and a value, sorted by key.
/// blocks (block, epoch): the block's accesses in earlier epochs are covered.
/// threads (thread, clock): the thread's accesses with smaller clocks are covered.
/// clusters (cluster, phases): the accesses of the cluster's threads before their arrival at that many phases of the
/// cluster's barrier are covered.
struct VectorClock {
    using Entries = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    Entries blocks;
    Entries threads;
    Entries clusters;

    bool covers(std::uint32_t block, std::uint32_t epoch, std::uint32_t thread, std::uint32_t clock) const;
    /// Returns the number of barrier phases of the cluster that the clock covers.
    std::uint32_t phases_of(std::uint32_t cluster) const;
    bool includes(const VectorClock& other) const;
};

/// A shared immutable vector clock: most threads of a block point to the same object. Null covers nothing.
using ClockPtr = std::shared_ptr<const VectorClock>;

/// Joins vector clocks and entries to one vector clock, which keeps the largest value of each key.
class ClockJoin {
  public:
    void add(const ClockPtr& other);
    void add_block(std::uint32_t block, std::uint32_t epoch) { entries_.blocks.emplace_back(block, epoch); }
    void add_thread(std::uint32_t thread, std::uint32_t clock) { entries_.threads.emplace_back(thread, clock); }
    void add_phases(std::uint32_t cluster, std::uint32_t count) { entries_.clusters.emplace_back(cluster, count); }
    ClockPtr finish();

  private:
    ClockPtr joined_;
    ClockPtr latest_;      // the last pointer added; add() skips equal ones that follow
    VectorClock entries_;  // those added one by one, not sorted
};

ClockPtr join(const ClockPtr& a, const ClockPtr& b);

/// The clocks of one thread. Fences work as in C++: a release fence takes effect with a later atomic write, which
/// publishes `released`; an acquire fence makes the clocks `seen` by earlier atomic reads part of `known`.
struct Order {
    ClockPtr known;
    ClockPtr released;           // known at the latest fence of GPU scope
    ClockPtr released_in_block;  // known at the latest fence of any scope
    ClockPtr seen;               // published by the atomic writes that this thread has read
    ClockPtr seen_in_block;      // like `seen`, but by writers of this block after fences of any scope

    static constexpr ClockPtr Order::*members[] = {&Order::known, &Order::released, &Order::released_in_block,
                                                   &Order::seen, &Order::seen_in_block};
    bool empty() const { return !known && !released && !released_in_block && !seen && !seen_in_block; }
};

/// Joins the Orders of the threads at a barrier. All threads get all clocks: fences are sequentially consistent, so
/// that a fence before the barrier takes effect with an atomic access of any thread after it.
class OrderJoin {
  public:
    void add(const Order& order);
    ClockJoin& known() { return joins_[0]; }
    Order finish();

  private:
    ClockJoin joins_[5];
};

}  // namespace emulator
