#include "tuner/emit/size_intervals.h"

#include <algorithm>
#include <set>

namespace redtune::emit {

namespace {

/// Sizes are counted in units: in rows, or in elements of a whole array.
using Units = std::uint64_t;

class IntervalFinder {
  public:
    IntervalFinder(Units unit, const std::function<std::size_t(std::uint64_t)>& configuration_at)
        : unit_(unit), configuration_at_(configuration_at) {}

    std::size_t at(Units size) const { return configuration_at_(size * unit_); }

    /// Adds the intervals that end in [low, high).
    void divide(Units low, std::size_t at_low, Units high, std::size_t at_high) {
        if (at_low == at_high) return;
        if (high - low == 1) {
            found_.push_back({low * unit_, at_low});
            return;
        }
        const Units middle = low + (high - low) / 2;
        const std::size_t at_middle = at(middle);
        divide(low, at_low, middle, at_middle);
        divide(middle, at_middle, high, at_high);
    }

    std::vector<SizeInterval> finish(Units last, std::size_t at_last) {
        found_.push_back({last * unit_, at_last});
        return std::move(found_);
    }

  private:
    Units unit_;
    const std::function<std::size_t(std::uint64_t)>& configuration_at_;
    std::vector<SizeInterval> found_;
};

/// Returns the sizes at which the configuration is looked up before the bisection.
std::set<Units> sampled_sizes(Units least, Units most, Units unit, const std::vector<std::uint64_t>& tuned) {
    constexpr Units samples_between = 16;
    std::set<Units> marks{least, most};
    for (Units size = std::max<Units>(least, 1); size < most / 2; size *= 2) marks.insert(size);
    for (const std::uint64_t n : tuned) {
        const Units size = n / unit;
        for (const Units mark : {size - (size > 0 ? 1 : 0), size, size + 1}) {
            if (least <= mark && mark <= most) marks.insert(mark);
        }
    }
    std::set<Units> sizes = marks;
    for (auto low = marks.begin(), high = std::next(low); high != marks.end(); low = high++) {
        for (Units i = 1; i < samples_between; ++i) {
            const Units distance = *high - *low;
            sizes.insert(*low + distance / samples_between * i + distance % samples_between * i / samples_between);
        }
    }
    return sizes;
}

}  // namespace

std::vector<SizeInterval> find_intervals(const SizeRange& range, const std::vector<std::uint64_t>& tuned,
                                         const std::function<std::size_t(std::uint64_t)>& configuration_at) {
    IntervalFinder finder(range.unit, configuration_at);
    const std::set<Units> sizes = sampled_sizes(range.least / range.unit, range.most / range.unit, range.unit, tuned);
    Units low = *sizes.begin();
    std::size_t at_low = finder.at(low);
    for (const Units high : sizes) {
        if (high == low) continue;
        const std::size_t at_high = finder.at(high);
        finder.divide(low, at_low, high, at_high);
        low = high;
        at_low = at_high;
    }
    return finder.finish(low, at_low);
}

}  // namespace redtune::emit
