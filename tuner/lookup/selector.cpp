#include "redtune/selector.h"

#include <tuple>
#include <utility>

#include "tuner/lookup/make_match.h"
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

/// Returns the match of a source, without a time if the time is that of another device.
std::optional<Match> find_in(const SelectorSource& source, const Selector::Content& content, std::uint64_t n) noexcept {
    const std::string_view device = content.device.name;
    if (source.kind == MatchKind::default_rule) {
        return lookup::make_default_match(source.tuned, content.problem, n, device, content.limits);
    }
    auto match = lookup::make_match(source.tuned, content.problem, n, device, content.limits);
    if (!match || source.kind == MatchKind::exact) return match;
    match->kind = source.kind;
    if (source.kind > MatchKind::similar_problem) match->expected_us = match->gb_per_s = 0;
    return match;
}

}  // namespace

bool Selector::Content::serves(const Problem& other_problem, const DeviceInfo& other_device,
                               const SelectOptions& given) const {
    return !uses_occupancy_query && problem == other_problem && key_of(device) == key_of(other_device) &&
           key_of(options) == key_of(given);
}

Selector::Selector(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

std::optional<Match> Selector::find(std::uint64_t n) const noexcept {
    for (const SelectorSource& source : content_->sources) {
        auto match = find_in(source, *content_, n);
        if (match && content_->allows(match->kind)) return match;
    }
    return std::nullopt;
}

std::string Selector::why_not(std::uint64_t n) const {
    return find(n) ? std::string() : lookup::why_not(*content_, n);
}

}  // namespace redtune
