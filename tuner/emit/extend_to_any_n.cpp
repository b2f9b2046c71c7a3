#include "tuner/emit/extend_to_any_n.h"

#include <algorithm>
#include <limits>

namespace redtune::emit {

namespace {

constexpr std::uint64_t any_n = std::numeric_limits<std::uint64_t>::max();

/// Computes the workspace of an emission, and extends its intervals to sizes above those of the request.
class Extension {
  public:
    explicit Extension(Emission& emission) : emission_(emission), unit_(shape_of(emission.request.problem).unit()) {}

    /// Computes the sizes of a workspace that serves all intervals.
    void size_workspace() {
        std::uint64_t zeroed = LaunchPlan::header_bytes;
        for (const SizeInterval& interval : emission_.intervals) {
            const LaunchPlan plan = plan_of(rule_of(interval.configuration), interval.last_n);
            const bool is_zeroed = rule_of(interval.configuration).slots_zeroed;
            if (is_zeroed) zeroed = std::max(zeroed, plan.zeroed_bytes);
            if (!is_zeroed) slots_ = std::max(slots_, plan.workspace_bytes - LaunchPlan::header_bytes);
        }
        set_zeroed(zeroed);
    }

    /// Adds intervals above the last one. Each uses the configuration of the nearest smaller size that is valid there.
    void extend() {
        for (std::size_t i = emission_.intervals.size(); i-- > 0;) {
            const std::size_t configuration = emission_.intervals[i].configuration;
            const std::uint64_t last = last_n_of(configuration);
            if (last <= emission_.intervals.back().last_n) continue;
            if (emission_.intervals.back().configuration == configuration) {
                emission_.intervals.back().last_n = last;
            } else {
                emission_.intervals.push_back({last, configuration});
            }
        }
    }

    bool reaches_any_n() const { return emission_.intervals.back().last_n == any_n; }

    /// Enlarges the zeroed part so that a configuration is valid for any n. Returns false, and changes nothing, if no
    /// n is valid above some limit or the zeroed part would be too large.
    bool make_room_for(const LaunchRule& rule) {
        constexpr std::uint64_t most_zeroed = 1 << 20;
        const LaunchPlan plan = plan_of(rule, largest_units() * unit_);
        if (plan.count == 0 ||
            (rule.slots_zeroed && plan.zeroed_bytes > std::max(most_zeroed, emission_.zeroed_bytes))) {
            return false;
        }
        if (rule.slots_zeroed) set_zeroed(std::max(emission_.zeroed_bytes, plan.zeroed_bytes));
        return true;
    }

  private:
    const LaunchRule& rule_of(std::size_t configuration) const { return emission_.configurations[configuration].rule; }

    LaunchPlan plan_of(const LaunchRule& rule, std::uint64_t n) const {
        return try_plan(rule, extents_of(emission_.request.problem, n));
    }

    void set_zeroed(std::uint64_t bytes) {
        constexpr std::uint64_t alignment = 256;
        emission_.zeroed_bytes = (bytes + alignment - 1) / alignment * alignment;
        emission_.workspace_bytes = emission_.zeroed_bytes + slots_;
    }

    bool is_valid(const LaunchRule& rule, std::uint64_t n) const {
        const LaunchPlan plan = plan_of(rule, n);
        return plan.count != 0 && (!rule.slots_zeroed || plan.zeroed_bytes <= emission_.zeroed_bytes);
    }

    /// Returns a number of rows, or of elements of a whole array, that no device can hold.
    std::uint64_t largest_units() const { return (std::uint64_t{1} << 62) / unit_; }

    /// Returns the largest n for which a configuration is valid, by bisection; `any_n` if there is no limit.
    std::uint64_t last_n_of(std::size_t configuration) const {
        const LaunchRule& rule = rule_of(configuration);
        std::uint64_t valid = 0;
        std::uint64_t invalid = largest_units();
        if (is_valid(rule, invalid * unit_)) return any_n;
        while (invalid - valid > 1) {
            const std::uint64_t middle = valid + (invalid - valid) / 2;
            (is_valid(rule, middle * unit_) ? valid : invalid) = middle;
        }
        return valid * unit_;
    }

    Emission& emission_;
    std::uint64_t unit_;
    std::uint64_t slots_ = 0;  // most bytes of slots that are not zeroed
};

}  // namespace

void extend_to_any_n(Emission& emission, ConfigurationCollector& collector, const Catalog& catalog) {
    const Request& request = emission.request;
    Extension extension(emission);
    extension.size_workspace();
    extension.extend();
    std::vector<std::uint64_t> sizes = catalog.tuned_sizes(request.problem, request.device, request.regime);
    std::stable_partition(sizes.begin(), sizes.end(), [&](std::uint64_t n) { return n > request.most; });
    for (const std::uint64_t n : sizes) {
        if (extension.reaches_any_n()) return;
        const auto match = catalog.find(request.problem, n, request.device, request.regime);
        if (!match || !extension.make_room_for(*match->rule)) continue;
        emission.intervals.push_back({any_n, collector.add(*match)});
    }
}

}  // namespace redtune::emit
