#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::jit {

/// Who may read the files of a cache.
enum class Readers : std::uint8_t { owner, everyone };

/// Returns why machine code in this file or folder must not be executed, as a phrase: "it belongs to another user" or
/// "other users may write to it". Empty if it belongs to this user or to root, and no one else may write to it. The
/// owner's private group, which has the number of the owner, may write to it.
std::string why_not_trusted(const std::filesystem::path& path);

/// Creates a cache's folder with mode 0700, or 0755 if everyone may read it, if it does not exist. Returns what is
/// wrong with the folder; empty if it can be used.
std::string prepare_folder(const std::filesystem::path& folder, Readers readers = Readers::owner);

/// The result of read_trusted().
struct ReadFile {
    std::optional<std::string> bytes;  ///< empty if the file cannot be read, or must not be executed
    std::string distrust;              ///< why it must not be executed, as why_not_trusted() says
};

/// Returns the contents of a regular file that passes why_not_trusted(). Does not follow symbolic links.
/// @param touch whether to set the file's modification time to now
ReadFile read_trusted(const std::filesystem::path& file, bool touch = false);

/// Writes a file so that readers see it complete or not at all, even after a power failure. Returns what failed; empty
/// if nothing did.
std::string write_atomically(const std::filesystem::path& file, std::string_view bytes,
                             Readers readers = Readers::owner);

/// Returns whether a file is a temporary file of write_atomically() whose process ended before renaming it. `written`
/// is the file's modification time.
bool is_abandoned(const std::filesystem::path& file, std::filesystem::file_time_type written);

}  // namespace redtune::jit
