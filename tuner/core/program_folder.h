#pragma once

#include <filesystem>

namespace redtune {

/// Returns the folder of the running program's file, with symbolic links resolved; empty if /proc is not mounted.
std::filesystem::path program_folder();

}  // namespace redtune
