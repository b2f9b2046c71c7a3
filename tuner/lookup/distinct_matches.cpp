#include "tuner/lookup/distinct_matches.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "tuner/lookup/selector_content.h"

namespace redtune::lookup {

namespace {

/// Collects the matches of a look-up.
class Collector {
  public:
    Collector(const FindMatch& find, std::uint64_t unit) : find_(find), unit_(unit) {}

    /// Adds the match of n if it is new. Returns its rule; null if there is no match.
    const LaunchRule* add(std::uint64_t n) {
        const std::optional<Match> match = find_(n);
        if (!match) return nullptr;
        if (rules_.insert(match->rule).second) found_.push_back(*match);
        return match->rule;
    }

    /// Adds the matches between two sizes: halves the range until both of its ends use the same configuration.
    void split(std::uint64_t low, const LaunchRule* at_low, std::uint64_t high, const LaunchRule* at_high) {
        if (at_low == at_high || high - low <= unit_) return;
        const std::uint64_t middle = low + std::max<std::uint64_t>(1, (high - low) / 2 / unit_) * unit_;
        const LaunchRule* at_middle = add(middle);
        split(low, at_low, middle, at_middle);
        split(middle, at_middle, high, at_high);
    }

    std::vector<Match> take() { return std::move(found_); }

  private:
    const FindMatch& find_;
    std::uint64_t unit_;
    std::set<const LaunchRule*> rules_;
    std::vector<Match> found_;
};

}  // namespace

std::vector<std::uint64_t> change_points(const Selector::Content& content, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t unit = shape_of(content.problem).unit();
    std::set<std::uint64_t> found = {first, last};
    const auto add = [&](std::uint64_t n) {
        if (n > first && n < last) found.insert(n);
    };
    for (const SelectorSource& source : content.sources) {
        for (const TunedSize& size : source.tuned.sizes) {
            for (const std::uint64_t n : {size.n, size.candidate_for.least, size.candidate_for.most}) {
                const std::uint64_t whole = n / unit * unit;
                if (whole >= unit) add(whole - unit);
                add(whole);
                if (whole <= std::numeric_limits<std::uint64_t>::max() - unit) add(whole + unit);
            }
        }
    }
    return {found.begin(), found.end()};
}

std::vector<Match> distinct_matches(const Selector::Content& content, const FindMatch& find, std::uint64_t first,
                                    std::uint64_t last) {
    Collector collector(find, shape_of(content.problem).unit());
    std::uint64_t low = first;
    const LaunchRule* at_low = collector.add(first);
    for (const std::uint64_t high : change_points(content, first, last)) {
        const LaunchRule* at_high = collector.add(high);
        collector.split(low, at_low, high, at_high);
        low = high;
        at_low = at_high;
    }
    return collector.take();
}

}  // namespace redtune::lookup
