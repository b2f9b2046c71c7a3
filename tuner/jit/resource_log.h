#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tuner/core/measurement.h"

namespace redtune::jit {

/// Returns the resources that `ptxas -v` reports for each kernel, by symbol: registers, bytes of static shared memory,
/// bytes of spill stores plus spill loads.
std::map<std::string, KernelResources> parse_resource_log(std::string_view log);

}  // namespace redtune::jit
