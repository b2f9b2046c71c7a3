#pragma once

#include <cstdint>
#include <vector>

#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/finish.h"
#include "tuner/core/trial.h"

namespace redtune::compare {

/// A finish and the candidate that stands for it.
struct FinishRepresentative {
    Finish finish = Finish::two_kernel;
    Trial trial;
};

/// Returns one candidate at n for each finish that has one, in the order of the finishes.
///
/// The candidates are those of tile_per_block with the widest loads. They are grouped by their parameters other than
/// `finish` and `cluster`, and the group with the most finishes is taken, the first in the order of the family's file
/// if several have as many. So the finishes differ in nothing but themselves where one group has them all. Finishes
/// that the group lacks come from the next such group, then from grid_stride_wide by the same rule; `cluster` is the
/// finish of one_cluster. Within a group, a finish is represented by the candidate with the least cluster.
std::vector<FinishRepresentative> finish_representatives(const std::vector<Family>& families, const DeviceInfo& device,
                                                         const Problem& problem, std::uint64_t n);

}  // namespace redtune::compare
