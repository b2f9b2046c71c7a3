#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "redtune/problem.h"
#include "tuner/core/configuration.h"

namespace redtune::db {

/// A configuration, and a problem for which it was measured. Together they name the kernels that were timed.
struct MeasuredKernels {
    std::int64_t configuration_id = 0;
    std::int64_t problem_id = 0;
    Configuration configuration;
    LaunchRule rule;
    Problem problem;
};

/// Returns what was measured with a code of a family, sorted by problem and configuration. Store::set_code() gives
/// these measurements another code.
std::vector<MeasuredKernels> find_measured_kernels(const Connection& connection, std::string_view family,
                                                   std::string_view code_hash);

}  // namespace redtune::db
