#include "tuner/lookup/make_selector.h"

#include <algorithm>
#include <tuple>

#include "tuner/lookup/adapt.h"
#include "tuner/lookup/default_rules.h"
#include "tuner/lookup/distance.h"
#include "tuner/lookup/selector_content.h"
#include "tuner/lookup/staleness.h"

namespace redtune::lookup {

namespace {

std::uint32_t mask_of(const std::vector<MatchKind>& kinds) {
    std::uint32_t mask = kinds.empty() ? ~0U : 0U;
    for (const MatchKind kind : kinds) mask |= 1U << static_cast<unsigned>(kind);
    return mask;
}

/// The subject of tuned sizes that may serve a problem and device.
struct Relative {
    MatchKind kind = MatchKind::exact;
    int problem_distance = 0;
    bool is_other_destructiveness = false;
    double device_distance = 0;
    const Subject* tuned = nullptr;

    auto rank() const { return std::make_tuple(kind, problem_distance, is_other_destructiveness, device_distance); }
};

/// Returns whether a configuration that was tuned for a number of columns may serve another one. Narrow matrices need
/// other families than wide ones; from about 1,024 columns on, more columns only need more blocks of the same kind.
bool may_serve_columns(std::uint64_t tuned, std::uint64_t asked) {
    constexpr std::uint64_t wide = 1024;
    constexpr std::uint64_t most_ratio = 4;
    const auto [fewer, more] = std::minmax(tuned, asked);
    return fewer >= wide || more <= fewer * most_ratio;
}

/// Returns the subjects whose tuned sizes may serve the problem and device, the best first.
std::vector<Relative> relatives(const Snapshot& snapshot, const Problem& problem, const DeviceInfo& device,
                                Regime regime) {
    std::vector<Relative> found;
    for (const std::span<const Subject> group : snapshot.groups()) {
        const Subject& tuned = nearest_shape(group, shape_of(problem));
        const auto distance = problem_distance(tuned.problem, tuned.regime, problem, regime);
        if (!distance || !may_serve_columns(tuned.problem.columns, problem.columns)) continue;
        MatchKind kind = device_relation(tuned.device, device);
        const bool is_same_problem = *distance == 0 && tuned.problem.determinism == problem.determinism;
        if (kind == MatchKind::exact && !is_same_problem) kind = MatchKind::similar_problem;
        found.push_back({kind, *distance, tuned.problem.destructive != problem.destructive,
                         device_distance(tuned.device, device), &tuned});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Relative& a, const Relative& b) { return a.rank() < b.rank(); });
    return found;
}

/// Adds the sources of a selector, best first, until no further source could be reached.
class SourceMaker {
  public:
    SourceMaker(const Snapshot& snapshot, Selector::Content& content, const SelectOptions& options)
        : snapshot_(snapshot),
          content_(content),
          options_(options),
          adapter_(content.problem, content.device, options.regime),
          staleness_(options.software) {}

    void add(const Relative& relative) {
        if (is_complete_ || !is_allowed(relative.kind) || has_source(relative.kind)) return;
        const bool is_exact = relative.kind == MatchKind::exact;
        const Shape tuned_shape = shape_of(relative.tuned->problem);
        const bool is_same_shape = tuned_shape == shape_of(content_.problem);
        SelectorSource source{relative.kind, snapshot_.read(*relative.tuned), {}};
        filter_sizes(
            source.tuned,
            [&](TunedSize& size) {
                if (!is_exact || !is_same_shape) {
                    const Obstacle obstacle = adapter_.adapt(size, tuned_shape);
                    if (obstacle != Obstacle::none) return obstacle;
                }
                size.stale = staleness_.of(size);
                return find_obstacle(size, content_.problem, content_.device, options_, is_exact);
            },
            source.left_out);
        is_complete_ = is_complete(source);
        content_.sources.push_back(std::move(source));
    }

    void add_default_rules() {
        if (is_complete_ || !is_allowed(MatchKind::default_rule)) return;
        SelectorSource source{MatchKind::default_rule, {}, {}};
        source.tuned.sizes =
            default_configurations(content_.problem, content_.device, options_.regime, source.left_out);
        filter_sizes(
            source.tuned,
            [&](TunedSize& size) { return find_obstacle(size, content_.problem, content_.device, options_, false); },
            source.left_out);
        content_.sources.push_back(std::move(source));
    }

  private:
    bool is_allowed(MatchKind kind) const {
        if (kind != MatchKind::exact) return content_.allows(kind);
        return content_.allows(MatchKind::exact) || content_.allows(MatchKind::between) ||
               content_.allows(MatchKind::beyond);
    }

    /// Returns whether there is a source of this kind that has a configuration. One source for each rung is enough.
    bool has_source(MatchKind kind) const {
        return std::any_of(content_.sources.begin(), content_.sources.end(), [&](const SelectorSource& source) {
            return source.kind == kind && !source.tuned.sizes.empty();
        });
    }

    /// Returns whether the source has a configuration for every n of a whole array that a device could hold, within all
    /// limits, so that a further source would never be reached.
    bool is_complete(const SelectorSource& source) const {
        if (shape_of(content_.problem).kind() != ShapeKind::whole || !options_.kinds.empty()) return false;
        constexpr std::uint64_t most = std::uint64_t{1} << 40;
        std::vector<db::SizeRange> ranges;
        for (const TunedSize& size : source.tuned.sizes) {
            // The grid and the workspace of larger arrays are not smaller.
            const LaunchPlan largest = try_plan(size.rule, std::min(size.candidate_for.most, most));
            const bool has_room =
                !options_.max_workspace_bytes || largest.workspace_bytes <= *options_.max_workspace_bytes;
            if (largest.count > 0 && has_room) ranges.push_back(size.candidate_for);
        }
        std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.least < b.least; });
        std::uint64_t next = 0;
        for (const db::SizeRange& range : ranges) {
            if (range.least > next) return false;
            if (range.most >= most) return true;
            next = std::max(next, range.most + 1);
        }
        return false;
    }

    const Snapshot& snapshot_;
    Selector::Content& content_;
    const SelectOptions& options_;
    Adapter adapter_;
    StalenessTest staleness_;
    bool is_complete_ = false;
};

}  // namespace

std::shared_ptr<const Selector::Content> make_selector(const Snapshot& snapshot, const Problem& problem,
                                                       const DeviceInfo& device, const SelectOptions& options) {
    const auto content = std::make_shared<Selector::Content>();
    content->problem = problem;
    content->device = device;
    content->options = options;
    content->options.occupancy = nullptr;
    content->uses_occupancy_query = options.occupancy != nullptr;
    content->kinds = mask_of(options.kinds);
    if (options.max_workspace_bytes) content->limits.max_workspace_bytes = *options.max_workspace_bytes;
    SourceMaker maker(snapshot, *content, options);
    for (const Relative& relative : relatives(snapshot, problem, device, options.regime)) maker.add(relative);
    maker.add_default_rules();
    return content;
}

}  // namespace redtune::lookup
