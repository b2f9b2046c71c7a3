#pragma once

#include <vector>

#include "redtune/device.h"
#include "redtune/problem.h"
#include "tuner/lookup/filter_sizes.h"
#include "tuner/lookup/tuned_size.h"

namespace redtune::lookup {

/// Returns the configurations of the rules of thumb, the preferred ones first: for n, the first one is meant whose
/// `candidate_for` includes n. Their launch rules are those that the tuner would use on the device. Together they are
/// for every n, up to 2^40 elements (rows, if the problem has rows) as far as a grid allows.
/// @param regime the regime of the look-up
/// @param left_out counts those that are no candidates
std::vector<TunedSize> default_configurations(const Problem& problem, const DeviceInfo& device, Regime regime,
                                              LeftOut& left_out);

}  // namespace redtune::lookup
