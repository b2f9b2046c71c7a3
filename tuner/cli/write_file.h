#pragma once

#include <filesystem>
#include <string_view>

namespace redtune::cli {

/// Writes a file, or replaces it. Readers never see a part of the text, and if the text cannot be written completely,
/// the file stays as it was. A device or a pipe is written directly.
/// @throws Error with the reason and what to do
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace redtune::cli
