#pragma once

#include <filesystem>

namespace redtune {

/// Returns the folder of the file that contains redtune's code, with symbolic links resolved: of the shared library
/// (also of another project's shared library into which redtune was linked), else program_folder().
std::filesystem::path library_folder();

}  // namespace redtune
