#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::jit {

/// Creates the cache's folder with mode 0700 if it does not exist. Returns what is wrong with the folder; empty if it
/// can be used. A folder that belongs to another user or that everyone can write is refused, because the machine code
/// in it is executed.
std::string prepare_folder(const std::filesystem::path& folder);

/// Returns the contents of a regular file that this user owns and sets its modification time to now; empty if it cannot
/// be read.
std::optional<std::string> read_and_touch(const std::filesystem::path& file);

/// Writes a file so that readers see it complete or not at all, even after a power failure. Returns what failed; empty
/// if nothing did.
std::string write_atomically(const std::filesystem::path& file, std::string_view bytes);

/// Returns whether a file is a temporary file of write_atomically() whose process ended before renaming it. `written`
/// is the file's modification time.
bool is_abandoned(const std::filesystem::path& file, std::filesystem::file_time_type written);

}  // namespace redtune::jit
