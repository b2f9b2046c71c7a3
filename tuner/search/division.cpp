#include "tuner/search/division.h"

#include <algorithm>
#include <chrono>

namespace redtune::search {

namespace {

/// A signal or a time budget ends a sweep without notifying waiting threads, so a wait is cut into pieces of this
/// length.
constexpr std::chrono::milliseconds longest_wait{50};

}  // namespace

Division::Member::~Member() {
    if (in_hand_ != nullptr) *in_hand_ = State::free;
    --division_.living_;
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

void Division::Member::divide(const std::string& list, std::span<const CellKey> cells, const CellSteps& steps) {
    std::map<CellKey, State>& states = division_.lists_[list];
    std::vector<bool> is_done(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        is_done[i] = steps.is_decided(cells[i]);
        State& state = states.try_emplace(cells[i], State::free).first->second;
        if (is_done[i]) state = State::decided;
    }
    meet();
    while (!is_over()) {
        if (decide_next(states, cells, is_done, steps) || confirm_next(states, cells, is_done, steps)) continue;
        if (std::ranges::find(is_done, false) == is_done.end()) return;
        wait();
    }
}

/// Decides the first cell that no unit has in hand. @return false if there is none
bool Division::Member::decide_next(std::map<CellKey, State>& states, std::span<const CellKey> cells,
                                   std::vector<bool>& is_done, const CellSteps& steps) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        State& state = states.at(cells[i]);
        if (state != State::free) continue;
        state = State::in_hand;
        in_hand_ = &state;
        steps.decide(cells[i]);
        in_hand_ = nullptr;
        state = State::decided;
        is_done[i] = true;
        division_.changed_.notify_all();
        return true;
    }
    return false;
}

/// Confirms the first cell that another unit has decided. @return false if there is none
bool Division::Member::confirm_next(const std::map<CellKey, State>& states, std::span<const CellKey> cells,
                                    std::vector<bool>& is_done, const CellSteps& steps) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (is_done[i] || states.at(cells[i]) != State::decided) continue;
        steps.confirm(cells[i]);
        is_done[i] = true;
        return true;
    }
    return false;
}

std::size_t Division::Member::share_left(const std::string& list) const {
    const auto found = division_.lists_.find(list);
    if (found == division_.lists_.end()) return 0;
    const auto left = static_cast<std::size_t>(
        std::ranges::count_if(found->second, [](const auto& entry) { return entry.second != State::decided; }));
    const std::size_t units = std::max<std::size_t>(1, division_.living_);
    return (left + units - 1) / units;
}

void Division::Member::wait() {
    division_.changed_.wait_for(turn_, longest_wait);
}

}  // namespace redtune::search
