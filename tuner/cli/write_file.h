#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string_view>

namespace redtune::cli {

/// Writes a file, or replaces it. Readers never see a part of the text, and if the text cannot be written completely,
/// the file stays as it was. A device or a pipe is written directly.
/// @throws Error with the reason and what to do
void write_file(const std::filesystem::path& file, std::string_view text);

/// Writes or replaces a file as above, with what `write` writes to the stream.
void write_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

}  // namespace redtune::cli
