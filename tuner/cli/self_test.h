#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "tuner/cli/table.h"
#include "tuner/core/family.h"
#include "tuner/search/executor.h"
#include "tuner/search/sweep_plan.h"
#include "tuner/search/worker_protocol.h"

namespace redtune::cli {

/// One device whose times are tested.
struct SelfTestedDevice {
    search::Executor& executor;
    std::string label;        ///< what people read for the device
    search::WorkerTask task;  ///< the task of a process that launches kernels on the device
};

/// Tests whether the times that are taken on each device can be trusted (search/self_test.h), adds the results to a
/// table of make_self_test_table(), and prints the verdicts on stderr. Stores nothing. The winners on a GPU are also
/// profiled, if there is an ncu that may do so.
/// @param races the number of A/A races at each size
/// @return the exit code: done, `drifted` if a device cannot be trusted, or interrupted
int self_test(const search::SweepRequest& request, const std::vector<SelfTestedDevice>& devices,
              const std::vector<Family>& families, int races, Table& table, const std::atomic<bool>& stop);

}  // namespace redtune::cli
