#include "tuner/search/division.h"

#include <algorithm>
#include <chrono>

namespace redtune::search {

namespace {

/// A signal or a time budget ends a sweep without notifying waiting threads, so a wait is cut into pieces of this
/// length.
constexpr std::chrono::milliseconds longest_wait{50};

}  // namespace

/// A cell that a unit decides. It is free for others again if it is not decided when the object ends.
class Division::Member::CellInHand {
  public:
    CellInHand(const CellKey& cell, State& state, Part& part) : cell_(cell), state_(state), part_(part) {
        state_ = State::in_hand;
        part_.in_hand.insert(cell_);
    }
    ~CellInHand() {
        part_.in_hand.erase(cell_);
        if (state_ == State::in_hand) state_ = State::free;
    }
    CellInHand(const CellInHand&) = delete;
    CellInHand& operator=(const CellInHand&) = delete;

    void set_decided() { state_ = State::decided; }

  private:
    CellKey cell_;
    State& state_;
    Part& part_;
};

Division::Member::Member(const Member& first, std::unique_lock<std::mutex>& turn, std::function<bool()> is_over)
    : division_(first.division_),
      turn_(turn),
      unit_(first.unit_),
      is_helper_(true),
      is_helper_over_(std::move(is_over)) {
    ++division_.helpers_;
}

Division::Member::~Member() {
    --(is_helper_ ? division_.helpers_ : division_.living_);
    if (!is_helper_) {
        for (auto& [name, list] : division_.lists_) list.parts.erase(unit_);
    }
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
    std::set<CellKey>& done = begun.parts[unit_].done;
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
    if (!list.parts.contains(unit_)) begin(name, cells, steps.is_decided);
    const std::set<CellKey>& done = list.parts.at(unit_).done;
    while (!is_over()) {
        if (decide_next(list, cells, steps) || confirm_next(list, cells, steps)) continue;
        if (std::ranges::all_of(cells, [&](const CellKey& cell) { return done.contains(cell); })) return;
        wait();
    }
}

/// Returns whether the unit may take a further cell; see Division.
bool Division::Member::may_decide_another(const List& list, const CellSteps& steps) const {
    const auto left = [&](const Part& part) {
        double sum = 0;
        for (const CellKey& cell : part.in_hand) sum += steps.work_left ? steps.work_left(cell) : 1;
        return sum;
    };
    const Part& own = list.parts.at(unit_);
    if (own.in_hand.empty()) return true;
    const double own_left = left(own);
    return std::ranges::all_of(list.parts, [&](const auto& part) { return own_left <= left(part.second); });
}

/// Decides the first cell that no unit has in hand. @return false if there is none, or if another unit is to take it
bool Division::Member::decide_next(List& list, std::span<const CellKey> cells, const CellSteps& steps) {
    if (!may_decide_another(list, steps)) return false;
    for (const CellKey& cell : cells) {
        State& state = list.states.at(cell);
        if (state != State::free) continue;
        Part& own = list.parts.at(unit_);
        CellInHand in_hand(cell, state, own);
        division_.changed_.notify_all();  // another unit may now take the next one
        steps.decide(cell);
        in_hand.set_decided();
        own.done.insert(cell);
        division_.changed_.notify_all();
        return true;
    }
    return false;
}

/// Confirms the first cell that another unit has decided. @return false if there is none
bool Division::Member::confirm_next(List& list, std::span<const CellKey> cells, const CellSteps& steps) {
    for (const CellKey& cell : cells) {
        if (list.states.at(cell) != State::decided || !list.parts.at(unit_).done.insert(cell).second) continue;
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
