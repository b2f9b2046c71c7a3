#pragma once

#include <filesystem>

namespace redtune {

/// The folder of the running program's file, with symbolic links resolved; empty if the system does not tell it
/// (/proc is not mounted).
std::filesystem::path program_folder();

}  // namespace redtune
