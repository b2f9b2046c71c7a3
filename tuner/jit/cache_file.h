#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::jit {

/// Makes the cache's folder (0700) where it is missing. Empty if it is fit for use; else what is wrong with it:
/// machine code is not taken from a folder that others can write.
std::string prepare_folder(const std::filesystem::path& folder);

/// The whole of a regular file of this user's, whose time of use becomes now. Empty where that cannot be had.
std::optional<std::string> read_and_touch(const std::filesystem::path& file);

/// Writes a file that readers see either whole or not at all, also after a power failure. Empty, or what failed.
std::string write_atomically(const std::filesystem::path& file, std::string_view bytes);

/// Whether a file is a part of write_atomically() whose process must have died.
bool is_abandoned(const std::filesystem::path& file, std::filesystem::file_time_type written);

}  // namespace redtune::jit
