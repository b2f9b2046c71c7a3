#include "vector_clock.h"

#include <algorithm>

namespace emulator {

namespace {

bool has_above(const VectorClock::Entries& entries, std::uint32_t key, std::uint32_t value) {
    const auto at = std::lower_bound(entries.begin(), entries.end(), std::pair{key, 0u});
    return at != entries.end() && at->first == key && at->second > value;
}

/// Returns the larger value of each key of two sorted lists.
VectorClock::Entries merged(const VectorClock::Entries& a, const VectorClock::Entries& b) {
    VectorClock::Entries all;
    all.reserve(a.size() + b.size());
    auto left = a.begin();
    for (const auto& right : b) {
        while (left != a.end() && left->first < right.first) all.push_back(*left++);
        if (left != a.end() && left->first == right.first) {
            all.emplace_back(right.first, std::max(left->second, right.second));
            ++left;
        } else {
            all.push_back(right);
        }
    }
    all.insert(all.end(), left, a.end());
    return all;
}

void keep_largest(VectorClock::Entries& entries) {
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second > b.second;
    });
    const auto same_key = [](const auto& a, const auto& b) { return a.first == b.first; };
    entries.erase(std::unique(entries.begin(), entries.end(), same_key), entries.end());
}

bool has_at_least(const VectorClock::Entries& entries, const VectorClock::Entries& others) {
    if (entries.size() < others.size()) return false;
    auto at = entries.begin();
    for (const auto& other : others) {
        while (at != entries.end() && at->first < other.first) ++at;
        if (at == entries.end() || at->first != other.first || at->second < other.second) return false;
    }
    return true;
}

}  // namespace

bool VectorClock::covers(std::uint32_t block, std::uint32_t epoch, std::uint32_t thread, std::uint32_t clock) const {
    return has_above(blocks, block, epoch) || has_above(threads, thread, clock);
}

std::uint32_t VectorClock::phases_of(std::uint32_t cluster) const {
    const auto at = std::lower_bound(clusters.begin(), clusters.end(), std::pair{cluster, 0u});
    return at != clusters.end() && at->first == cluster ? at->second : 0;
}

bool VectorClock::includes(const VectorClock& other) const {
    return has_at_least(blocks, other.blocks) && has_at_least(threads, other.threads) &&
           has_at_least(clusters, other.clusters);
}

ClockPtr join(const ClockPtr& a, const ClockPtr& b) {
    if (!b || a == b) return a;
    if (!a || b->includes(*a)) return b;
    if (a->includes(*b)) return a;
    return std::make_shared<const VectorClock>(
        VectorClock{merged(a->blocks, b->blocks), merged(a->threads, b->threads), merged(a->clusters, b->clusters)});
}

void ClockJoin::add(const ClockPtr& other) {
    if (!other || other == latest_) return;
    latest_ = other;
    joined_ = join(joined_, other);
}

ClockPtr ClockJoin::finish() {
    if (!entries_.blocks.empty() || !entries_.threads.empty() || !entries_.clusters.empty()) {
        keep_largest(entries_.blocks);
        keep_largest(entries_.threads);
        keep_largest(entries_.clusters);
        joined_ = join(joined_, std::make_shared<const VectorClock>(std::exchange(entries_, {})));
    }
    return joined_;
}

void OrderJoin::add(const Order& order) {
    if (order.empty()) return;
    for (int i = 0; i < 5; ++i) joins_[i].add(order.*Order::members[i]);
}

Order OrderJoin::finish() {
    Order order;
    for (int i = 0; i < 5; ++i) order.*Order::members[i] = joins_[i].finish();
    return order;
}

}  // namespace emulator
