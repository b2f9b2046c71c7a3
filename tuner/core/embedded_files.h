#pragma once

#include <span>
#include <string_view>

namespace redtune {

/// A file of templates/, kernels_src/ or db/schema/ with its text at the time the library was built.
struct EmbeddedFile {
    std::string_view path;  ///< from the project's root: "templates/grid_stride_wide.cuh"
    std::string_view text;
};

/// Returns all embedded files, sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace redtune
