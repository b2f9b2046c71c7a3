// What a thread knows of other threads' accesses: the sparse part of its vector clock.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace emulator {

/// Sorted by key. blocks: of this block, accesses of any earlier epoch are known. threads: of this thread, accesses
/// with any smaller clock are known. clusters: of this cluster, what its threads did ahead of their arrivals at so many
/// phases of its barrier is known.
struct VectorClock {
    using Entries = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    Entries blocks;
    Entries threads;
    Entries clusters;

    bool covers(std::uint32_t block, std::uint32_t epoch, std::uint32_t thread, std::uint32_t clock) const;
    /// 0: none is known.
    std::uint32_t phases_of(std::uint32_t cluster) const;
    bool includes(const VectorClock& other) const;
};

/// Immutable and shared: most threads of a block point to the same object. Null: nothing.
using KnowledgePtr = std::shared_ptr<const VectorClock>;

/// Collects entries and makes one VectorClock of them; the largest value of a key stays.
class KnowledgeJoin {
  public:
    void add(const KnowledgePtr& other);
    void add_block(std::uint32_t block, std::uint32_t epoch) { entries_.blocks.emplace_back(block, epoch); }
    void add_thread(std::uint32_t thread, std::uint32_t clock) { entries_.threads.emplace_back(thread, clock); }
    void add_phases(std::uint32_t cluster, std::uint32_t count) { entries_.clusters.emplace_back(cluster, count); }
    KnowledgePtr finish();

  private:
    bool has_entries() const {
        return !entries_.blocks.empty() || !entries_.threads.empty() || !entries_.clusters.empty();
    }

    KnowledgePtr only_;    // as long as nothing else was added, the result is this very object
    KnowledgePtr latest_;  // skips runs of equal pointers
    VectorClock entries_;
};

KnowledgePtr join(const KnowledgePtr& a, const KnowledgePtr& b);

/// Order between one thread and others, by what it did. `released` waits for an atomic write that publishes it,
/// `seen` for a fence that makes it count: a fence takes part on both sides, as in C++.
struct Order {
    KnowledgePtr known;
    KnowledgePtr released;           // known at the latest fence of GPU scope
    KnowledgePtr released_in_block;  // known at the latest fence of any scope
    KnowledgePtr seen;               // published by those whose atomic writes this thread has read
    KnowledgePtr seen_in_block;      // the same, of fences of block scope and writers of this block

    static constexpr KnowledgePtr Order::*members[] = {&Order::known, &Order::released, &Order::released_in_block,
                                                       &Order::seen, &Order::seen_in_block};
    bool empty() const { return !known && !released && !released_in_block && !seen && !seen_in_block; }
};

/// A barrier hands all of it to everyone: fences are sequentially consistent, so a fence before the barrier counts
/// for an atomic behind it, in whichever thread.
class OrderJoin {
  public:
    void add(const Order& order);
    KnowledgeJoin& known() { return joins_[0]; }
    Order finish();

  private:
    KnowledgeJoin joins_[5];
};

}  // namespace emulator
