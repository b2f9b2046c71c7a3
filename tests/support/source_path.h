#pragma once

#include <string>
#include <string_view>

namespace redtune::test {

/// Returns the absolute path of a file of the project.
/// @param relative the path relative to the project's root
std::string source_path(std::string_view relative);

/// Returns a folder with cuda.h.
std::string cuda_include_folder();

/// Returns the folder with the shipped databases: db/data, unpacked.
std::string shipped_data();

}  // namespace redtune::test
