#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "redtune/catalog.h"
#include "redtune/device.h"
#include "redtune/problem.h"
#include "tuner/core/family.h"
#include "tuner/jit/compiler.h"

namespace redtune::runtime {

/// The calls that reducers will make.
struct ExpectedCalls {
    std::uint64_t first = 0;                                         ///< least number of elements
    std::uint64_t last = std::numeric_limits<std::uint64_t>::max();  ///< largest number of elements
    bool with_device_count = true;  ///< also calls whose number of elements lies in device memory
    std::vector<Regime> regimes = {Regime::cold, Regime::warm, Regime::back_to_back};  ///< of the reducers' options
};

/// The kernels that reducers load.
struct ReducerKernels {
    std::set<jit::KernelName> names;
    std::set<std::string> unusable;  ///< configurations whose kernels cannot be named: the messages of these errors
};

/// Adds the kernels that reducers of a problem load on a device for these calls. The reducers have no limits of their
/// own (SelectOptions) and pin no configuration.
/// @throws DatabaseError if the catalog's winners cannot be read
void add_reducer_kernels(const Catalog& catalog, std::span<const Family> families, const Problem& problem,
                         const DeviceInfo& device, const ExpectedCalls& calls, ReducerKernels& found);

}  // namespace redtune::runtime
