#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tuner/search/prior.h"

namespace redtune::search {

/// The steps that a unit takes with the cells of a list.
struct CellSteps {
    /// Returns whether the unit has nothing to do in a cell. It is asked when the unit begins the list.
    std::function<bool(const CellKey&)> is_decided;
    /// Decides a cell, with no help of the other units.
    std::function<void(const CellKey&)> decide;
    /// Measures a cell that another unit has decided.
    std::function<void(const CellKey&)> confirm;
    /// Returns about how long it still takes to decide a cell that no unit has decided, in any unit of time. Empty: all
    /// cells take the same time.
    std::function<double(const CellKey&)> work_left = {};
};

/// Divides the cells of a sweep among the units that measure them, each in threads of its own: a unit that is free
/// takes the next cell. A unit that has cells in hand takes a further one only if no other unit has less work left in
/// hand, so that all are done at about the same time. A unit that is lost gives back what it had in hand, and another
/// one takes it.
///
/// The threads of all units share one mutex, the turn. A thread has the turn, except while it measures and while it
/// waits for others. So the database, the history and the progress have one user at a time and need no locks.
class Division {
  public:
    /// A unit's part, or that of one of the threads that help it. Not thread-safe, except that each member may be in
    /// another thread.
    class Member;

    /// @param units the number of units
    /// @param is_over returns whether the sweep is to end; a member that waits asks it again and again
    Division(std::size_t units, std::function<bool()> is_over) : living_(units), is_over_(std::move(is_over)) {}

  private:
    enum class State : std::uint8_t { free, in_hand, decided };

    /// The progress of one unit in a list.
    struct Part {
        std::set<CellKey> done;     ///< the cells that it has decided or confirmed, or is confirming
        std::set<CellKey> in_hand;  ///< the cells that it is deciding
    };

    struct List {
        std::map<CellKey, State> states;
        std::map<std::size_t, Part> parts;  ///< by unit
    };

    std::map<std::string, List> lists_;
    std::map<std::string, std::size_t> taken_;  ///< number of calls of take_one_of() by its name
    std::size_t joined_ = 0;                    ///< number of units that have ever had a member
    std::size_t living_;                        ///< number of units that are left
    std::size_t helpers_ = 0;                   ///< number of members that help others
    std::size_t arrived_ = 0;                   ///< number of units that wait for the others to arrive
    std::uint64_t meetings_ = 0;
    std::function<bool()> is_over_;
    std::condition_variable changed_;
};

class Division::Member {
  public:
    /// A unit's first member.
    /// @param turn the calling thread's lock of the mutex that all members share; it must be locked whenever a function
    /// of the member is called. All arguments must outlive the member.
    Member(Division& division, std::unique_lock<std::mutex>& turn)
        : division_(division), turn_(turn), unit_(division.joined_++), is_helper_(false) {}
    /// A member that helps a unit's first one in another thread. The first one must begin a list before its helpers
    /// divide it, and outlive them.
    /// @param is_over returns whether this helper is to end, although the sweep goes on
    Member(const Member& first, std::unique_lock<std::mutex>& turn, std::function<bool()> is_over);
    /// Gives back what the member had in hand. The other units do not wait for a unit whose first member is gone.
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    /// Waits until the first member of every unit has called this function as often as this one. Returns early if the
    /// sweep is to end.
    void meet();

    /// Begins a list: notes which of its cells the unit has decided before, then meets the other units, so that none
    /// takes a cell that another one has decided.
    void begin(const std::string& list, std::span<const CellKey> cells,
               const std::function<bool(const CellKey&)>& is_decided);

    /// Decides or confirms the cells of a list, in their order. Each cell is decided by one unit, then confirmed by all
    /// others. Begins the list, unless the unit has begun it. Returns when nothing is left for this unit, or early if
    /// the sweep is to end. The first members of all units call it with the same names in the same order; if their
    /// cells differ, each ends with its own.
    void divide(const std::string& list, std::span<const CellKey> cells, const CellSteps& steps);

    /// Returns how many cells of a list each member has still to decide, the one in hand included.
    std::size_t share_left(const std::string& list) const;

    /// Returns true for the first `most` calls of all members with this name.
    bool take_one_of(const std::string& name, std::size_t most) { return division_.taken_[name]++ < most; }

    bool is_over() const { return division_.is_over_() || (is_helper_over_ && is_helper_over_()); }

  private:
    class CellInHand;

    bool may_decide_another(const List& list, const CellSteps& steps) const;
    bool decide_next(List& list, std::span<const CellKey> cells, const CellSteps& steps);
    bool confirm_next(List& list, std::span<const CellKey> cells, const CellSteps& steps);
    void wait();

    Division& division_;
    std::unique_lock<std::mutex>& turn_;
    std::size_t unit_;
    bool is_helper_;
    std::function<bool()> is_helper_over_;
};

}  // namespace redtune::search
