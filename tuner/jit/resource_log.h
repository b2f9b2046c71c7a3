#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tuner/core/measurement.h"

namespace redtune::jit {

/// Returns what `ptxas -v` reports for each kernel, by symbol: registers, static shared memory, spill stores plus
/// loads.
std::map<std::string, KernelResources> parse_resource_log(std::string_view log);

}  // namespace redtune::jit
