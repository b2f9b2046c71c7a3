#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tuner/search/prior.h"

namespace redtune::search {

/// The steps that a unit takes with the cells of a list.
struct CellSteps {
    /// Returns whether the unit has nothing to do in a cell. It is asked before any unit begins.
    std::function<bool(const CellKey&)> is_decided;
    /// Decides a cell, with no help of the other units.
    std::function<void(const CellKey&)> decide;
    /// Measures a cell that another unit has decided.
    std::function<void(const CellKey&)> confirm;
};

/// Divides the cells of a sweep among the units that measure them, each in a thread of its own: a unit that is free
/// takes the next cell. A unit that is lost gives back what it had in hand, and another one takes it.
///
/// The threads of all units share one mutex, the turn. A thread has the turn, except while it measures and while it
/// waits for others. So the database, the history and the progress have one user at a time and need no locks.
class Division {
  public:
    /// One unit's part. Not thread-safe, except that each member may be in another thread.
    class Member;

    /// @param members the number of units
    /// @param is_over returns whether the sweep is to end; a member that waits asks it again and again
    Division(std::size_t members, std::function<bool()> is_over) : living_(members), is_over_(std::move(is_over)) {}

  private:
    enum class State : std::uint8_t { free, in_hand, decided };

    std::map<std::string, std::map<CellKey, State>> lists_;
    std::map<std::string, std::size_t> taken_;  ///< number of calls of take_one_of() by its name
    std::size_t living_;                        ///< number of members that are left
    std::size_t arrived_ = 0;                   ///< number of members that wait for the others to arrive
    std::uint64_t meetings_ = 0;
    std::function<bool()> is_over_;
    std::condition_variable changed_;
};

class Division::Member {
  public:
    /// @param turn the calling thread's lock of the mutex that all members share; it must be locked whenever a function
    /// of the member is called. All arguments must outlive the member.
    Member(Division& division, std::unique_lock<std::mutex>& turn) : division_(division), turn_(turn) {}
    /// Gives back what the unit had in hand. The other members do not wait for it any more.
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    /// Waits until every member has called this function as often as this one. Returns early if the sweep is to end.
    void meet();

    /// Decides or confirms the cells of a list, in their order. Each cell is decided by one unit, then confirmed by all
    /// others. Begins with meet(), and returns when nothing is left for this unit, or early if the sweep is to end. All
    /// members call it with the same names in the same order; if their cells differ, each ends with its own.
    void divide(const std::string& list, std::span<const CellKey> cells, const CellSteps& steps);

    /// Returns how many cells of a list each unit has still to decide, the one in hand included.
    std::size_t share_left(const std::string& list) const;

    /// Returns true for the first `most` calls of all members with this name.
    bool take_one_of(const std::string& name, std::size_t most) { return division_.taken_[name]++ < most; }

    bool is_over() const { return division_.is_over_(); }

  private:
    bool decide_next(std::map<CellKey, State>& states, std::span<const CellKey> cells, std::vector<bool>& is_done,
                     const CellSteps& steps);
    bool confirm_next(const std::map<CellKey, State>& states, std::span<const CellKey> cells,
                      std::vector<bool>& is_done, const CellSteps& steps);
    void wait();

    Division& division_;
    std::unique_lock<std::mutex>& turn_;
    State* in_hand_ = nullptr;
};

}  // namespace redtune::search
