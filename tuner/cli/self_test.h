#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "tuner/cli/table.h"
#include "tuner/core/family.h"
#include "tuner/search/executor.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::cli {

/// Tests whether the times that each executor takes can be trusted (search/self_test.h), adds the results to a table of
/// make_self_test_table(), and prints the verdicts on stderr. Stores nothing.
/// @param labels what people read for each executor's device
/// @param races the number of A/A races at each size
/// @return the exit code: done, `drifted` if a device cannot be trusted, or interrupted
int self_test(const search::SweepRequest& request, const std::vector<std::unique_ptr<search::Executor>>& executors,
              const std::vector<std::string>& labels, const std::vector<Family>& families, int races, Table& table,
              const std::atomic<bool>& stop);

}  // namespace redtune::cli
