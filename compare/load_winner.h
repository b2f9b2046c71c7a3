#pragma once

#include <optional>
#include <string>

#include "tuner/launch/kernel_loader.h"

namespace redtune::compare {

/// Returns the kernels of a winner. Returns an empty value if the winner does not fit the families of today, or its
/// kernels do not compile; `failure` then says why and what to do.
/// @throws DeviceError
std::optional<launch::LoadedKernel> load_winner(launch::KernelLoader& loader, const Match& winner,
                                                std::string& failure);

}  // namespace redtune::compare
