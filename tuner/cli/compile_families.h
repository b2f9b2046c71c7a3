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

/// Returns the device as if it had another architecture.
/// @param architecture "sm_90", "90" or "9.0"; empty: the device's own
/// @throws InputError for another text
DeviceInfo with_architecture(DeviceInfo device, const std::string& architecture);

/// Compiles every distinct kernel of the families' candidates with NVRTC for the device's architecture, and prints on
/// stdout what the assembler reports of each: registers and spilled bytes. Prints the logs of those that do not compile
/// on stderr. Needs no GPU.
/// @return the exit code: done, failed_candidates, or nothing_found where there is no candidate
/// @throws DeviceError if NVRTC is missing or does not know the architecture
int compile_families(const std::vector<Family>& families, const jit::SourceSet& sources, const DeviceInfo& device,
                     const Problem& problem, std::uint64_t n, Format format);

}  // namespace redtune::cli
