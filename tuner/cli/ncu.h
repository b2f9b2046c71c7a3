#pragma once

#include <filesystem>
#include <vector>

#include "tuner/cli/captured_process.h"
#include "tuner/core/trial.h"
#include "tuner/report/counters.h"
#include "tuner/report/profiled_calls.h"
#include "tuner/search/profiled_call.h"
#include "tuner/search/worker_protocol.h"

namespace redtune::cli {

/// Returns the folders in which ncu, the command line of Nsight Compute, is searched: those of PATH, then those where
/// the CUDA toolkit and NVIDIA's packages of Nsight Compute have it.
std::vector<std::filesystem::path> ncu_folders();

/// Returns the first ncu in these folders.
/// @throws DeviceError, which says how to get it, if none has it
std::filesystem::path find_ncu(const std::vector<std::filesystem::path>& folders = ncu_folders());

/// Reads hardware counters: starts ncu, and under it this program as `redtune launch`, which makes one call of the
/// trial for n elements on the GPU of the task. The caches are empty before each kernel, and the clocks are as they
/// are.
/// @return the counters of each launch of the call, in order
/// @throws DeviceError if the driver does not permit counters (the message says how to permit them), or if ncu or the
/// program under it fails
std::vector<report::Counters> read_counters(const std::filesystem::path& ncu, const search::WorkerTask& task,
                                            const Trial& trial, std::uint64_t n);

/// Returns the duration of a call of the trial for n elements on the GPU of the task, which ncu takes as
/// read_counters() reads counters: the median of several calls. In the regime warm the caches keep what the calls
/// before have read; else they are empty before each kernel.
/// @throws DeviceError as read_counters(), and if the time of `limits` is over; search::Stopped because of limits.stop
search::ProfiledCall profile_call(const std::filesystem::path& ncu, const search::WorkerTask& task, const Trial& trial,
                                  std::uint64_t n, Regime regime, const CaptureLimits& limits);

}  // namespace redtune::cli
