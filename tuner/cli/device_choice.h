#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tuner/cli/problem_options.h"
#include "tuner/jit/cubin_cache.h"
#include "tuner/jit/source_set.h"
#include "tuner/search/child_process.h"
#include "tuner/search/executor.h"
#include "tuner/search/worker_protocol.h"

namespace redtune::cli {

/// The device that a command works on: a GPU of this machine or a recording.
struct DeviceChoice {
    int ordinal = -1;       ///< ordinal of the GPU; -1: the device is a recording
    std::string recording;  ///< name of the recording; empty: the device is a GPU
};

/// Returns the device that a --device argument names, as find_device() reads it. An empty text means the first GPU; on
/// a machine without a GPU it means the first recording, and a line on stderr says so.
/// @throws InputError for a text that names no device; DeviceError for the ordinal of a GPU that is not there.
DeviceChoice choose_device(const std::string& text);

/// Returns the properties of the device that was recorded; empty if the recording is empty or unknown.
std::optional<DeviceInfo> recorded_device(const std::string& recording);

/// Returns the properties of the device that choose_device() returns for the text. With these properties, candidates
/// can be counted without a GPU.
DeviceInfo device_for_planning(const std::string& text);

/// The process that measures.
enum class MeasuredBy : std::uint8_t { this_process, worker_process };

/// Returns an executor that measures on the device or replays its recording, in this process. `sources` and `cache`
/// must outlive it.
std::unique_ptr<search::Executor> make_executor_of_this_process(const DeviceChoice& choice, const Problem& problem,
                                                                std::uint64_t largest_n, const jit::SourceSet& sources,
                                                                jit::CubinCache& cache);

/// Returns what make_executor()'s executor can do. `sources` must outlive it.
std::unique_ptr<search::Capabilities> make_capabilities(const DeviceChoice& choice, const Problem& problem,
                                                        const jit::SourceSet& sources);

/// Returns the task of a worker that measures on the device.
/// @param options the options from which `sources` were loaded
search::WorkerTask make_task(const DeviceChoice& choice, const Problem& problem, std::uint64_t largest_n,
                             const ProblemOptions& options, const jit::SourceSet& sources);

/// Returns the command that starts a worker: a process of this program, or of $REDTUNE_WORKER_PROGRAM, for tests that
/// run commands in a program of their own.
search::WorkerCommand worker_command();

/// Returns an executor that measures on the device, or replays its recording. With MeasuredBy::worker_process, a worker
/// process (search/worker_executor.h) does so, which stops at interrupt_flag().
/// @param options the options from which `sources` were loaded
/// `sources` and `cache` must outlive the executor.
std::unique_ptr<search::Executor> make_executor(const DeviceChoice& choice, const Problem& problem,
                                                std::uint64_t largest_n, const ProblemOptions& options,
                                                const jit::SourceSet& sources, jit::CubinCache& cache,
                                                MeasuredBy measured_by);

}  // namespace redtune::cli
