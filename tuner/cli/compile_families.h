#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/cli/table.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/jit/source_set.h"

namespace redtune::cli {

/// Returns the device with another architecture in place of its own.
/// @param architecture "sm_90", "90" or "9.0"; empty: the architecture stays
/// @throws InputError for any other text
DeviceInfo with_architecture(DeviceInfo device, const std::string& architecture);

/// Compiles every distinct kernel of the families' candidates with NVRTC for the device's architecture. Prints the
/// assembler's report of each kernel on stdout (registers and spilled bytes), and the logs of kernels that do not
/// compile on stderr. Needs no GPU.
/// @return the exit code: done, failed_candidates, or nothing_found if there is no candidate
/// @throws DeviceError if NVRTC is missing or does not know the architecture
int compile_families(const std::vector<Family>& families, const jit::SourceSet& sources, const DeviceInfo& device,
                     const Problem& problem, std::uint64_t n, Format format);

}  // namespace redtune::cli
