#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tuner/jit/cubin_cache.h"
#include "tuner/jit/source_set.h"
#include "tuner/search/executor.h"

namespace redtune::cli {

/// What --device stands for: a GPU of this machine, or a recorded one. Without a GPU, an empty text is the first
/// recording, and one line on stderr says so.
struct DeviceChoice {
    int ordinal = -1;       ///< of the GPU; -1: a replay
    std::string recording;  ///< of the replay
};

/// @throws InputError for a text that is neither; DeviceError for a GPU that is not there.
DeviceChoice choose_device(const std::string& text);

/// The device alone, to count candidates for.
DeviceInfo device_for_planning(const std::string& text);

/// What measures on the device. `sources` and `cache` must outlive it.
std::unique_ptr<search::Executor> make_executor(const DeviceChoice& choice, const Problem& problem,
                                                std::uint64_t largest_n, const jit::SourceSet& sources,
                                                jit::CubinCache& cache);

}  // namespace redtune::cli
