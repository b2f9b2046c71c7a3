#pragma once

#include <span>
#include <string_view>

namespace redtune {

/// A file of templates/, kernels_src/, db/schema/, tuner/emit/text/ or tuner/report/page/ with the text that it had
/// when the library was built.
struct EmbeddedFile {
    std::string_view path;  ///< relative to the project's root: "templates/grid_stride_wide.cuh"
    std::string_view text;
};

/// Returns all embedded files, sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace redtune
