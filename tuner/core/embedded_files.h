#pragma once

#include <span>
#include <string_view>

namespace redtune {

/// A file of templates/, kernels_src/ or db/schema/, as it was when the library was built.
struct EmbeddedFile {
    std::string_view path;  ///< from the project's root: "templates/stream.cuh"
    std::string_view text;
};

/// All of them, sorted by path.
std::span<const EmbeddedFile> embedded_files();

}  // namespace redtune
