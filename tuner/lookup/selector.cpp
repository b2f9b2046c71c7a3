#include "redtune/selector.h"

#include <tuple>
#include <utility>

#include "tuner/lookup/fill_match.h"
#include "tuner/lookup/selector_content.h"
#include "tuner/lookup/why_not.h"

namespace redtune {

namespace {

/// Returns the members of a device on which the content of a selector depends.
auto key_of(const DeviceInfo& device) {
    return std::tie(device.name, device.compute_major, device.compute_minor, device.sm_count, device.memory_bytes,
                    device.l2_bytes, device.mig_profile, device.max_threads_per_sm, device.max_shared_bytes_per_block,
                    device.max_registers_per_block, device.peak_gb_per_s);
}

auto key_of(const SelectOptions& options) {
    return std::tie(options.regime, options.max_workspace_bytes, options.allow_pdl, options.allow_forward_progress,
                    options.kinds, options.software);
}

}  // namespace

bool Selector::Content::serves(const Problem& other_problem, const DeviceInfo& other_device,
                               const SelectOptions& given) const {
    return !uses_occupancy_query && problem == other_problem && key_of(device) == key_of(other_device) &&
           key_of(options) == key_of(given);
}

Selector::Selector(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

std::optional<Match> Selector::find(std::uint64_t n) const noexcept {
    const Content& content = *content_;
    const lookup::Asked asked{content.problem, n, content.device.name, content.limits, content.kinds};
    std::optional<Match> found(std::in_place);
    for (const SelectorSource& source : content.sources) {
        const bool is_rule = source.kind == MatchKind::default_rule;
        if (is_rule ? lookup::fill_default_match(source.tuned, asked, *found)
                    : lookup::fill_match(source.tuned, source.kind, asked, *found)) {
            return found;
        }
    }
    found.reset();
    return found;
}

std::string Selector::why_not(std::uint64_t n) const {
    return find(n) ? std::string() : lookup::why_not(*content_, n);
}

}  // namespace redtune
