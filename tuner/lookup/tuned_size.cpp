#include "tuner/lookup/tuned_size.h"

#include <algorithm>

namespace redtune::lookup {

namespace {

// A 128-bit integer (a GCC extension) holds the product of two sizes exactly; logarithms would be rounded.
__extension__ using Wide = unsigned __int128;

/// Returns n, or 1 if n is 0, because 0 has no logarithm.
std::uint64_t at_least_1(std::uint64_t n) {
    return std::max<std::uint64_t>(n, 1);
}

/// Returns whether log n - log low < log high - log n. The comparison n * n < low * high is equivalent and exact.
bool nearer_to_low(std::uint64_t low, std::uint64_t n, std::uint64_t high) {
    return Wide{n} * n < Wide{at_least_1(low)} * high;
}

/// Returns the time at n, interpolated linearly between the times at two sizes.
double interpolate_us(const db::TimeAtSize& low, const db::TimeAtSize& high, std::uint64_t n) {
    return low.us + (high.us - low.us) * static_cast<double>(n - low.n) / static_cast<double>(high.n - low.n);
}

/// Returns the expected time at n of a configuration whose times at two sizes were measured: interpolated, or the time
/// at the larger size if has_wave_step().
double time_between_us(const db::TimeAtSize& low, const db::TimeAtSize& high, std::uint64_t n) {
    return has_wave_step(low, high) ? high.us : interpolate_us(low, high, n);
}

/// Returns the first size that is not below n.
std::span<const TunedSize>::iterator first_not_below(std::span<const TunedSize> sizes, std::uint64_t n) noexcept {
    return std::lower_bound(sizes.begin(), sizes.end(), n,
                            [](const TunedSize& size, std::uint64_t asked) { return size.n < asked; });
}

/// Picks the winner at one size, and plans its launches for n elements.
class Picker {
  public:
    Picker(std::uint64_t n, std::uint64_t at, const Shape& shape, LaunchPlan& plan, const PickLimits& limits)
        : n_(n), at_(at), shape_(shape), plan_(plan), limits_(limits) {}

    /// Returns a Pick of this tuned size; empty if its configuration is no candidate for n, its launch rule gives no
    /// plan for n, or the plan exceeds the limits.
    std::optional<Pick> pick_if_usable(MatchKind kind, const TunedSize& tuned, double expected_us) const {
        if (!is_usable(tuned, n_, shape_, plan_, limits_)) return std::nullopt;
        return Pick{kind, &tuned, expected_us};
    }

    /// Picks one of the winners of two neighbouring sizes, by the rule of pick(); empty if neither can be used for n.
    std::optional<Pick> pick_between(const TunedSize& low, const TunedSize& high) const {
        const bool low_is_known = high.of_lower_winner_us != 0;
        const bool high_is_known = low.of_upper_winner_us != 0;
        double low_us = interpolate_us({low.n, low.time_us}, {high.n, high.time_us}, at_);
        double high_us = low_us;
        if (low_is_known) low_us = time_between_us({low.n, low.time_us}, {high.n, high.of_lower_winner_us}, at_);
        if (high_is_known) high_us = time_between_us({low.n, low.of_upper_winner_us}, {high.n, high.time_us}, at_);
        const bool is_low_nearer = nearer_to_low(low.n, at_, high.n);
        const bool low_first = low_is_known != high_is_known       ? low_is_known
                               : low_is_known && low_us != high_us ? low_us < high_us
                                                                   : is_low_nearer;
        const auto try_low = [&] { return pick_if_usable(MatchKind::between, low, low_us); };
        const auto try_high = [&] { return pick_if_usable(MatchKind::between, high, high_us); };
        if (const auto picked = low_first ? try_low() : try_high()) return picked;
        return low_first ? try_high() : try_low();
    }

    /// Returns the usable winner whose index in `sizes` is nearest to `position`, which is where n would be inserted.
    std::optional<Pick> pick_nearest(MatchKind kind, std::span<const TunedSize> sizes, std::size_t position) const {
        const auto at = [&](std::size_t index) {
            const TunedSize& tuned = sizes[index];
            const double scale =
                at_ > tuned.n ? static_cast<double>(at_) / static_cast<double>(at_least_1(tuned.n)) : 1;
            return pick_if_usable(kind, tuned, tuned.time_us * scale);
        };
        for (std::size_t distance = 0; distance < sizes.size(); ++distance) {
            if (position + distance < sizes.size()) {
                if (const auto picked = at(position + distance)) return picked;
            }
            if (distance < position) {
                if (const auto picked = at(position - distance - 1)) return picked;
            }
        }
        return std::nullopt;
    }

  private:
    std::uint64_t n_;
    std::uint64_t at_;
    const Shape& shape_;
    LaunchPlan& plan_;
    const PickLimits& limits_;
};

}  // namespace

bool is_usable(const TunedSize& tuned, std::uint64_t n, const Shape& shape, LaunchPlan& plan,
               const PickLimits& limits) noexcept {
    return tuned.candidate_for.least <= n && n <= tuned.candidate_for.most &&
           write_plan(tuned.rule, extents_of(shape, n), plan) && plan.workspace_bytes <= limits.max_workspace_bytes;
}

bool has_wave_step(const db::TimeAtSize& low, const db::TimeAtSize& high) {
    constexpr double noise = 1.02;
    const double growth = static_cast<double>(high.n) / static_cast<double>(at_least_1(low.n));
    return high.us > low.us * growth * noise;
}

std::size_t next_interpolation_size(std::span<const TunedSize> sizes, std::size_t index, std::uint64_t unit) {
    std::size_t next = index + 1;
    if (next + 1 < sizes.size() && sizes[next + 1].n - sizes[next].n == unit) ++next;
    return next;
}

std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, const Shape& shape, LaunchPlan& plan,
                         const PickLimits& limits, std::optional<std::uint64_t> comparable) noexcept {
    if (sizes.empty()) return std::nullopt;
    const std::uint64_t at = comparable.value_or(n);
    const Picker picker(n, at, shape, plan, limits);
    const auto above = first_not_below(sizes, at);
    const auto position = static_cast<std::size_t>(above - sizes.begin());
    if (position < sizes.size() && above->n == at) {
        if (const auto picked = picker.pick_if_usable(MatchKind::exact, *above, above->time_us)) return picked;
    } else if (position > 0 && position < sizes.size()) {
        const TunedSize& high = sizes[next_interpolation_size(sizes, position - 1, shape.unit())];
        if (const auto picked = picker.pick_between(sizes[position - 1], high)) return picked;
    } else {
        return picker.pick_nearest(MatchKind::beyond, sizes, position);
    }
    return picker.pick_nearest(MatchKind::between, sizes, position);
}

double time_near_us(std::span<const TunedSize> sizes, std::uint64_t n) noexcept {
    const auto above = first_not_below(sizes, n);
    if (above == sizes.begin()) return above->time_us;
    const TunedSize& low = *(above - 1);
    if (above != sizes.end()) return interpolate_us({low.n, low.time_us}, {above->n, above->time_us}, n);
    return low.time_us * static_cast<double>(n) / static_cast<double>(at_least_1(low.n));
}

std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, const Shape& shape) noexcept {
    LaunchPlan plan;
    return pick(sizes, n, shape, plan);
}

}  // namespace redtune::lookup
