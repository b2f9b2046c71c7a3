#pragma once

#include <memory>

#include "redtune/device.h"
#include "redtune/selector.h"
#include "tuner/lookup/snapshot.h"

namespace redtune::lookup {

/// Returns the content of a selector: what the snapshot knows, ranked for a problem and a device, without what is not
/// legal there or not within the options.
std::shared_ptr<const Selector::Content> make_selector(const Snapshot& snapshot, const Problem& problem,
                                                       const DeviceInfo& device, const SelectOptions& options);

}  // namespace redtune::lookup
