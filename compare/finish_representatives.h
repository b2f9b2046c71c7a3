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
/// The candidates of tile_per_block with the widest loads are grouped by their parameters other than `finish` and
/// `cluster`. The group with the most finishes is taken, so that as many finishes as possible are compared with the
/// same parameters; of several such groups, the first in the order of the family's file. Finishes that the group lacks
/// are taken from the group that has the most of them, and so on, then from the groups of grid_stride_wide by the same
/// rule, then from one_cluster, whose finish is `cluster`. Within a group, the candidate with the smallest cluster
/// represents a finish.
std::vector<FinishRepresentative> finish_representatives(const std::vector<Family>& families, const DeviceInfo& device,
                                                         const Problem& problem, std::uint64_t n);

}  // namespace redtune::compare
