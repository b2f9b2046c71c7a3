#include "tuner/lookup/make_selector.h"

#include <algorithm>

#include "tuner/lookup/selector_content.h"

namespace redtune::lookup {

namespace {

std::uint32_t mask_of(const std::vector<MatchKind>& kinds) {
    std::uint32_t mask = kinds.empty() ? ~0U : 0U;
    for (const MatchKind kind : kinds) mask |= 1U << static_cast<unsigned>(kind);
    return mask;
}

}  // namespace

std::shared_ptr<const Selector::Content> make_selector(const Snapshot& snapshot, const Problem& problem,
                                                       const DeviceInfo& device, const SelectOptions& options) {
    const auto content = std::make_shared<Selector::Content>();
    content->problem = problem;
    content->device = device;
    content->options = options;
    content->options.occupancy = nullptr;
    content->kinds = mask_of(options.kinds);
    if (options.max_workspace_bytes) content->limits.max_workspace_bytes = *options.max_workspace_bytes;
    if (const TunedSizes* tuned = snapshot.find(device.name, problem, options.regime)) {
        content->sources.push_back({MatchKind::exact, *tuned});
    }
    return content;
}

}  // namespace redtune::lookup
