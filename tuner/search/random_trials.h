#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace redtune::search {

/// Random choices of a strategy. The same seed gives the same choices on every machine.
class RandomTrials {
  public:
    /// @param count number of trials
    RandomTrials(std::size_t count, std::uint64_t seed);

    /// Returns a number below `end`, which must not be 0.
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }

    /// Returns the next trial of a random order for which `is_left` is true; nothing if no trial is left.
    template <class IsLeft>
    std::optional<std::size_t> next(IsLeft is_left) {
        for (; begun_ < order_.size(); ++begun_) {
            if (is_left(order_[begun_])) return order_[begun_++];
        }
        return std::nullopt;
    }

    /// Returns the trials that next() has not passed yet, in the order in which it would.
    std::vector<std::size_t> remaining() const { return {order_.begin() + std::ptrdiff_t(begun_), order_.end()}; }

  private:
    std::mt19937_64 random_;  // unlike the distributions of <random>, the same on every machine
    std::vector<std::size_t> order_;
    std::size_t begun_ = 0;  ///< number of trials that next() has passed
};

}  // namespace redtune::search
