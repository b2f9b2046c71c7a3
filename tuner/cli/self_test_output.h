#pragma once

#include <string>

#include "tuner/cli/table.h"
#include "tuner/search/self_test.h"

namespace redtune::cli {

/// Returns an empty table of self-tests.
Table make_self_test_table();

/// Adds a row for each size that was tested. @param device what people read for the device
void add_self_test(Table& table, const std::string& device, const Problem& problem, const search::SelfTest& test,
                   const std::vector<Family>& families);

/// Returns the closing lines: whether the times of this machine can be trusted, or what is wrong and what to do; and
/// whether durations of Nsight Compute were compared.
/// @param is_replay the times are those of a recording
/// @param why_not_profiled why such durations are missing; empty if none is
std::string judge(const std::string& device, const search::SelfTest& test, bool is_replay,
                  const std::string& why_not_profiled);

}  // namespace redtune::cli
