#pragma once

#include <cstdint>
#include <string>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"

namespace redtune::cli {

/// Returns a message that says why db::candidates() returns no candidates of a family: a property that the problem or
/// the device lacks, or the first of the family's conditions that no configuration satisfies.
std::string why_no_candidates(const Family& family, const DeviceInfo& device, const Problem& problem, std::uint64_t n);

}  // namespace redtune::cli
