#include "tuner/cli/write_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "redtune/error.h"

namespace redtune::cli {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail_to_write(const fs::path& file, const std::string& reason) {
    throw Error(
        fmt::format("{} cannot be written ({}); name a file in a folder that exists, may be written and has room",
                    file.string(), reason));
}

/// Returns an empty text, or why the text could not be written.
std::string try_to_write(const fs::path& file, std::string_view text) {
    errno = 0;
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (out) return {};
    return errno != 0 ? std::system_category().message(errno) : "unknown reason";
}

}  // namespace

void write_file(const fs::path& file, std::string_view text) {
    std::error_code error;
    if (fs::is_directory(file, error)) fail_to_write(file, "it is a folder");
    if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
        if (const std::string reason = try_to_write(file, text); !reason.empty()) fail_to_write(file, reason);
        return;
    }
    // A symbolic link stays, and the file that it leads to is replaced.
    const fs::path target = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
    const fs::path unfinished = fmt::format("{}.unfinished-{}", target.string(), ::getpid());
    std::string reason = try_to_write(unfinished, text);
    if (reason.empty()) {
        fs::rename(unfinished, target, error);
        if (!error) return;
        reason = error.message();
    }
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    fail_to_write(file, reason);
}

}  // namespace redtune::cli
