#include "tuner/search/division.h"

#include <algorithm>
#include <chrono>

namespace redtune::search {

namespace {

/// A signal or a time budget ends a sweep without notifying waiting threads, so a wait is cut into pieces of this
/// length.
constexpr std::chrono::milliseconds longest_wait{50};

}  // namespace

Division::Member::Member(const Member& first, std::unique_lock<std::mutex>& turn, std::function<bool()> is_over)
    : division_(first.division_),
      turn_(turn),
      unit_(first.unit_),
      is_helper_(true),
      is_helper_over_(std::move(is_over)) {
    ++division_.helpers_;
}

Division::Member::~Member() {
    if (in_hand_ != nullptr) *in_hand_ = State::free;
    --(is_helper_ ? division_.helpers_ : division_.living_);
    division_.changed_.notify_all();
}

void Division::Member::meet() {
    const std::uint64_t meeting = division_.meetings_;
    ++division_.arrived_;
    // A member that leaves reduces the number of those that must arrive, so each one that waits looks for itself.
    while (division_.meetings_ == meeting) {
        if (division_.arrived_ >= division_.living_) {
            division_.arrived_ = 0;
            ++division_.meetings_;
            division_.changed_.notify_all();
        } else if (is_over()) {
            --division_.arrived_;
            return;
        } else {
            wait();
        }
    }
}

void Division::Member::begin(const std::string& list, std::span<const CellKey> cells,
                             const std::function<bool(const CellKey&)>& is_decided) {
    List& begun = division_.lists_[list];
    std::set<CellKey>& done = begun.done[unit_];
    for (const CellKey& cell : cells) {
        State& state = begun.states.try_emplace(cell, State::free).first->second;
        if (!is_decided(cell)) continue;
        done.insert(cell);
        state = State::decided;
    }
    meet();
}

void Division::Member::divide(const std::string& name, std::span<const CellKey> cells, const CellSteps& steps) {
    List& list = division_.lists_[name];
    if (!list.done.contains(unit_)) begin(name, cells, steps.is_decided);
    const std::set<CellKey>& done = list.done.at(unit_);
    while (!is_over()) {
        if (decide_next(list, cells, steps) || confirm_next(list, cells, steps)) continue;
        if (std::ranges::all_of(cells, [&](const CellKey& cell) { return done.contains(cell); })) return;
        wait();
    }
}

/// Decides the first cell that no unit has in hand. @return false if there is none
bool Division::Member::decide_next(List& list, std::span<const CellKey> cells, const CellSteps& steps) {
    for (const CellKey& cell : cells) {
        State& state = list.states.at(cell);
        if (state != State::free) continue;
        state = State::in_hand;
        in_hand_ = &state;
        steps.decide(cell);
        in_hand_ = nullptr;
        state = State::decided;
        list.done.at(unit_).insert(cell);
        division_.changed_.notify_all();
        return true;
    }
    return false;
}

/// Confirms the first cell that another unit has decided. @return false if there is none
bool Division::Member::confirm_next(List& list, std::span<const CellKey> cells, const CellSteps& steps) {
    for (const CellKey& cell : cells) {
        if (list.states.at(cell) != State::decided || !list.done.at(unit_).insert(cell).second) continue;
        steps.confirm(cell);
        return true;
    }
    return false;
}

std::size_t Division::Member::share_left(const std::string& list) const {
    const auto found = division_.lists_.find(list);
    if (found == division_.lists_.end()) return 0;
    const auto left = static_cast<std::size_t>(
        std::ranges::count_if(found->second.states, [](const auto& entry) { return entry.second != State::decided; }));
    const std::size_t members = std::max({std::size_t{1}, division_.living_, division_.helpers_});
    return (left + members - 1) / members;
}

void Division::Member::wait() {
    division_.changed_.wait_for(turn_, longest_wait);
}

}  // namespace redtune::search
