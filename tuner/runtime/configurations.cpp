#include "tuner/runtime/configurations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "db/single_candidate.h"
#include "redtune/error.h"
#include "tuner/jit/current_software.h"
#include "tuner/jit/source_set.h"
#include "tuner/lookup/distinct_matches.h"

namespace redtune::runtime {

namespace {

const Catalog& catalog_of_process() {
    static const Catalog* catalog = new Catalog(Catalog::open());  // never destroyed: static reducers may outlive it
    return *catalog;
}

SelectOptions complete(SelectOptions options, std::uint64_t max_workspace_bytes, const CurrentDevice& device,
                       const PreparedKernels& kernels) {
    options.max_workspace_bytes = max_workspace_bytes;
    if (!options.software) {
        // Without the version of NVRTC, which is opened only when a kernel has to be compiled.
        options.software = jit::current_software(kernels.source().families(), false);
        options.software->driver_version = device.driver_version();
    }
    return options;
}

Selector select(const Problem& problem, const CurrentDevice& device, const PreparedKernels& kernels,
                const ReducerOptions& options) {
    const std::uint64_t most_bytes = options.select.max_workspace_bytes.value_or(default_max_workspace_bytes);
    const Catalog& catalog = options.catalog != nullptr ? *options.catalog : catalog_of_process();
    return catalog.select(problem, device.info(), complete(options.select, most_bytes, device, kernels));
}

/// Returns the largest n whose input fits into the device's memory, in whole rows.
std::uint64_t largest_n(const Problem& problem, const DeviceInfo& device) {
    const std::uint64_t unit = shape_of(problem).unit();
    return std::max<std::uint64_t>(1, device.memory_bytes / bytes_read(problem, unit)) * unit;
}

/// Throws InputError if a parameter has a value that the family does not list, or has neither a value nor a default.
/// Unknown parameters are refused when the kernel is named.
void check_parameters(const Family& family, const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters) {
        const auto known = std::find_if(family.parameters.begin(), family.parameters.end(),
                                        [&](const ParameterValues& values) { return values.name == parameter.name; });
        if (known == family.parameters.end()) continue;
        std::vector<std::string> allowed;
        for (const Value& value : known->values) allowed.push_back(to_string(value));
        if (std::find(allowed.begin(), allowed.end(), to_string(parameter.value)) != allowed.end()) continue;
        throw InputError(fmt::format("family {} has no {}={}; allowed are {}", family.name, parameter.name,
                                     to_string(parameter.value), fmt::join(allowed, ", ")));
    }
    for (const ParameterValues& values : family.parameters) {
        const bool is_given = std::any_of(parameters.begin(), parameters.end(),
                                          [&](const Parameter& parameter) { return parameter.name == values.name; });
        if (!is_given && !values.default_value) {
            throw InputError(fmt::format("family {} needs a value for its parameter '{}'", family.name, values.name));
        }
    }
}

}  // namespace

Configurations::Configurations(const Problem& problem, const CurrentDevice& device, const PreparedKernels& kernels,
                               const ReducerOptions& options)
    : problem_(problem),
      device_(device),
      kernels_(kernels),
      regime_(options.select.regime),
      max_workspace_bytes_(options.select.max_workspace_bytes.value_or(default_max_workspace_bytes)),
      selector_(select(problem, device, kernels, options)),
      wide_(WideMatrix::make(problem, options.matrices,
                             [&](const Problem& wide) { return select(wide, device, kernels, options); })),
      layout_(layout_for(selector_, problem, largest_n(problem, device.info()))) {
    if (wide_) layout_.add(layout_for(wide_->selector(), wide_->problem(), largest_n(wide_->problem(), device.info())));
}

std::optional<Match> Configurations::find(std::uint64_t n) const noexcept {
    if (pinned_ != nullptr) {
        const Match match = match_of(*pinned_, n);
        return match.plan.count > 0 && layout_.holds(match.plan) ? std::optional(match) : std::nullopt;
    }
    std::optional<Match> match = selector_.find(n);
    if (match && !layout_.holds(match->plan)) match.reset();
    return match;
}

std::optional<Match> Configurations::find(const Extents& extents) const noexcept {
    if (extents.outer > 1 && problem_.columns > 0) return find_for_matrices(extents);
    return find(extents.n());
}

std::optional<Match> Configurations::find_for_matrices(const Extents& extents) const noexcept {
    if (wide_ && pinned_ == nullptr) {
        std::optional<Match> match = wide_->find(extents);
        if (match && layout_.holds(match->plan)) return match;
    }
    // The plan of several matrices needs no more workspace than that of one, for which the layout was made.
    std::optional<Match> match = find(extents.n());
    if (match && !write_plan(*match->rule, extents, match->plan)) match.reset();
    return match;
}

std::string Configurations::why_not(std::uint64_t n) const {
    if (find(n)) return "";
    if (pinned_ != nullptr) {
        return fmt::format("the pinned configuration needs more workspace or blocks for n = {} than there are", n);
    }
    const std::string why = selector_.why_not(n);
    return why.empty()
               ? fmt::format("the configuration for n = {} needs more workspace than {} bytes", n, layout_.bytes)
               : why;
}

std::vector<Match> Configurations::between(std::uint64_t first, std::uint64_t last) const {
    const auto find_or_throw = [&](std::uint64_t n) {
        std::optional<Match> match = find(n);
        if (!match) throw InputError(fmt::format("no configuration for n = {}: {}", n, why_not(n)));
        return match;
    };
    std::vector<Match> matches = lookup::distinct_matches(selector_.content(), find_or_throw, first, last);
    if (wide_ && pinned_ == nullptr) {
        const std::uint64_t columns = wide_->problem().columns;
        const auto find_wide = [&](std::uint64_t n) { return wide_->selector().find(n); };
        std::ranges::move(lookup::distinct_matches(wide_->selector().content(), find_wide, first / columns * columns,
                                                   (last + columns - 1) / columns * columns),
                          std::back_inserter(matches));
    }
    return matches;
}

Match Configurations::match_of(std::string_view family, const std::vector<Parameter>& parameters) {
    const Family& found = jit::find_family(kernels_.source().families(), family);
    check_parameters(found, parameters);
    const Configuration configuration{std::string(family), parameters};
    const std::uint64_t unit = shape_of(problem_).unit();
    db::SingleCandidate candidate(found, device_.info(), problem_, configuration, regime_);
    const std::uint64_t most = largest_n(problem_, device_.info());
    for (std::uint64_t n = unit; n <= most; n *= 2) {
        std::optional<Trial> trial = candidate.at(n);
        if (trial) return match_of(*trials_.emplace_back(std::make_unique<const Trial>(std::move(*trial))), n);
    }
    throw InputError(
        fmt::format("{} is not legal on {} for any n; `redtune families {}` lists its values and conditions",
                    to_string(configuration), device_.info().name, family));
}

void Configurations::pin(const Match& match) {
    const auto found =
        std::find_if(trials_.begin(), trials_.end(), [&](const auto& trial) { return &trial->rule == match.rule; });
    pinned_ = found->get();
    layout_ = layout_for(pinned_->rule, problem_, largest_n(problem_, device_.info()), max_workspace_bytes_);
}

Match Configurations::match_of(const Trial& trial, std::uint64_t n) const noexcept {
    Match match;
    match.device = device_.info().name;
    match.family = trial.configuration.family;
    match.parameters = trial.configuration.parameters;
    match.rule = &trial.rule;
    match.deterministic = trial.deterministic;
    match.tuned_n = n;
    write_plan(trial.rule, extents_of(problem_, n), match.plan);
    return match;
}

}  // namespace redtune::runtime
