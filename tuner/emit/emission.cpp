#include "tuner/emit/emission.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "redtune/error.h"
#include "redtune/size.h"
#include "tuner/core/finish.h"
#include "tuner/emit/fill_in.h"
#include "tuner/emit/inlined_sources.h"
#include "tuner/launch/kernel_name.h"

namespace redtune::emit {

namespace {

constexpr int hopper = 90;
constexpr std::uint64_t any_n = std::numeric_limits<std::uint64_t>::max();

/// Returns the oldest compute capability that can run a configuration.
int compute_capability_of(const Family& family, const Match& match) {
    int needed = family.minimum_compute_capability;
    for (const Parameter& parameter : match.parameters) {
        if (parameter.name != finish_parameter) continue;
        needed = std::max(needed, traits_of(parse_finish(to_string(parameter.value))).minimum_compute_capability);
    }
    const LaunchRule& rule = *match.rule;
    return rule.cluster > 1 || rule.pdl || rule.combine_pdl ? std::max(needed, hopper) : needed;
}

/// Collects the configurations of an emission from look-ups.
class Collector {
  public:
    Collector(Emission& emission, const Catalog& catalog, const std::vector<Family>& families)
        : emission_(emission), catalog_(catalog), families_(families) {}

    /// Returns the index of the configuration for n, which it adds if it is new.
    /// @throws InputError if there is none
    std::size_t configuration_at(std::uint64_t n) {
        const Request& request = emission_.request;
        const auto match = catalog_.find(request.problem, n, request.device, request.regime);
        if (!match) {
            throw InputError(
                fmt::format("no tuned configuration can reduce {} elements; give other sizes by --size, or "
                            "tune sizes near it",
                            format_size(n)));
        }
        return add(*match);
    }

    std::size_t add(const Match& match) {
        const auto [known, is_new] = by_rule_.emplace(match.rule, 0);
        if (is_new) known->second = intern(match);
        return known->second;
    }

  private:
    std::size_t intern(const Match& match) {
        const Family& family = jit::find_family(families_, match.family);
        EmittedConfiguration wanted = describe(family, match);
        auto& known = emission_.configurations;
        const auto found =
            std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.is_same_code(wanted); });
        const auto index = static_cast<std::size_t>(found - known.begin());
        if (found == known.end()) {
            emission_.minimum_compute_capability =
                std::max(emission_.minimum_compute_capability, compute_capability_of(family, match));
            emission_.destructive = emission_.destructive || family.destructive;
            emission_.code_hashes[family.name] = family.code_hash;
            known.push_back(std::move(wanted));
        }
        return index;
    }

    EmittedConfiguration describe(const Family& family, const Match& match) {
        EmittedConfiguration configuration;
        configuration.text = to_string_without_defaults(
            {std::string(match.family), {match.parameters.begin(), match.parameters.end()}}, family);
        configuration.rule = *match.rule;
        // Without this launch its block does not matter, and two configurations that differ in it only are the same.
        if (configuration.rule.continuation != Continuation::combine_partials) configuration.rule.combine_block = 0;
        for (const KernelRole role : roles_of(configuration.rule)) {
            const int kernel = kernel_index(
                launch::kernel_name(family, emission_.request.problem, launch::KernelRequest(match), role));
            configuration.kernels.at(static_cast<std::size_t>(role)) = kernel;
            if (role == KernelRole::combine_partials) continue;
            Kernel& limits = emission_.kernels[static_cast<std::size_t>(kernel)];
            limits.shared_bytes = std::max(limits.shared_bytes, configuration.rule.shared_bytes);
            limits.cluster = std::max(limits.cluster, configuration.rule.cluster);
        }
        return configuration;
    }

    int kernel_index(jit::KernelName name) {
        auto& known = emission_.kernels;
        const auto found =
            std::find_if(known.begin(), known.end(), [&](const Kernel& each) { return each.name == name; });
        const auto index = static_cast<int>(found - known.begin());
        if (found == known.end()) known.push_back({.name = std::move(name)});
        return index;
    }

    Emission& emission_;
    const Catalog& catalog_;
    const std::vector<Family>& families_;
    std::map<const LaunchRule*, std::size_t> by_rule_;  // a tuned size has one rule, whose address stays
};

/// Computes the workspace of an emission, and extends its intervals to sizes above those of the request.
class Extension {
  public:
    explicit Extension(Emission& emission)
        : emission_(emission), unit_(std::max<std::uint64_t>(1, emission.request.problem.row_length)) {}

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
        return try_plan(rule, n, emission_.request.problem.row_length);
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

/// Makes the code reduce arrays of any size. If no configuration does, adds one that was tuned for another size, if
/// there is one.
void extend_to_any_n(Emission& emission, Collector& collector, const Catalog& catalog) {
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

/// Collects where the configurations of all intervals come from.
void add_provenance(Emission& emission, const Catalog& catalog, const ProvenanceFinder& measurements) {
    const Request& request = emission.request;
    std::set<std::uint64_t> seen;
    for (const SizeInterval& interval : emission.intervals) {
        const std::uint64_t n = std::min(interval.last_n, request.most);
        const auto match = catalog.find(request.problem, n, request.device, request.regime);
        if (match && seen.insert(match->tuned_n).second) measurements.add(*match, emission.provenance);
    }
}

void add_sources(Emission& emission, const jit::SourceSet& sources) {
    std::vector<std::string> paths = sources.operator_paths();
    for (const Kernel& kernel : emission.kernels) {
        if (std::find(paths.begin(), paths.end(), kernel.name.source) == paths.end()) {
            paths.push_back(kernel.name.source);
        }
    }
    InlinedSources inlined = inline_sources(sources, paths);
    emission.device_code = std::move(inlined.text);
    emission.system_includes = std::move(inlined.system_includes);
    emission.reduction = launch::device_problem(emission.request.problem);
    for (Kernel& kernel : emission.kernels) {
        kernel.name.expression = replace_all(kernel.name.expression, emission.reduction, "Reduction");
    }
}

}  // namespace

std::optional<Emission> make_emission(const Request& request, const Catalog& catalog,
                                      const ProvenanceFinder& measurements, const jit::SourceSet& sources,
                                      const std::vector<Family>& families) {
    const std::optional<DeviceInfo> device = measurements.find_device(request.device);
    if (!device || !catalog.find(request.problem, request.least, request.device, request.regime)) return std::nullopt;
    Emission emission;
    emission.request = request;
    emission.device = *device;
    Collector collector(emission, catalog, families);
    const std::uint64_t unit = std::max<std::uint64_t>(1, request.problem.row_length);
    emission.intervals = find_intervals({request.least, request.most, unit},
                                        catalog.tuned_sizes(request.problem, request.device, request.regime),
                                        [&](std::uint64_t n) { return collector.configuration_at(n); });
    extend_to_any_n(emission, collector, catalog);
    add_provenance(emission, catalog, measurements);
    add_sources(emission, sources);
    return emission;
}

}  // namespace redtune::emit
