#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tuner/jit/cubin_cache.h"
#include "tuner/jit/source_set.h"
#include "tuner/search/executor.h"

namespace redtune::cli {

/// The device that a command works on: a GPU of this machine, or a recorded one.
struct DeviceChoice {
    int ordinal = -1;       ///< of the GPU; -1: a replay
    std::string recording;  ///< of the replay
};

/// Returns the device that a --device argument names, as find_device() reads it. An empty text is the first GPU;
/// without a GPU the first recording, and one line on stderr says so.
/// @throws InputError for a text that names no device; DeviceError for the ordinal of a GPU that is not there.
DeviceChoice choose_device(const std::string& text);

/// Returns the device that a recording is of; empty where the recording holds none.
std::optional<DeviceInfo> recorded_device(const std::string& recording);

/// Returns the properties of the device that choose_device() returns for the text, to count candidates for.
DeviceInfo device_for_planning(const std::string& text);

/// Returns what measures on the device. `sources` and `cache` must outlive it.
std::unique_ptr<search::Executor> make_executor(const DeviceChoice& choice, const Problem& problem,
                                                std::uint64_t largest_n, const jit::SourceSet& sources,
                                                jit::CubinCache& cache);

}  // namespace redtune::cli
