#pragma once

#include "redtune/catalog.h"
#include "tuner/emit/configuration_collector.h"
#include "tuner/emit/emission.h"

namespace redtune::emit {

/// Computes the workspace of an emission whose intervals cover the sizes of the request, and makes the code reduce
/// arrays of any size: adds intervals above the last one. Each uses the configuration of the nearest smaller size that
/// is valid there. If no configuration is valid for any n, adds one that was tuned for another size, if there is one.
void extend_to_any_n(Emission& emission, ConfigurationCollector& collector, const Catalog& catalog);

}  // namespace redtune::emit
