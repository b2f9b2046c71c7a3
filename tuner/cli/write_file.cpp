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

using Write = std::function<void(std::ostream&)>;

/// A file that is removed by the destructor, unless it was renamed.
class UnfinishedOutput {
  public:
    explicit UnfinishedOutput(fs::path path) : path_(std::move(path)) {}
    UnfinishedOutput(const UnfinishedOutput&) = delete;
    UnfinishedOutput& operator=(const UnfinishedOutput&) = delete;
    ~UnfinishedOutput() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

/// Returns an empty text, or why the file could not be written.
std::string try_to_write(const fs::path& file, const Write& write) {
    errno = 0;
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    if (out) write(out);
    out.close();
    if (out) return {};
    return errno != 0 ? std::system_category().message(errno) : "unknown reason";
}

}  // namespace

void write_file(const fs::path& file, const Write& write) {
    std::error_code error;
    if (fs::is_directory(file, error)) fail_to_write(file, "it is a folder");
    if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
        if (const std::string reason = try_to_write(file, write); !reason.empty()) fail_to_write(file, reason);
        return;
    }
    // A symbolic link stays, and the file that it leads to is replaced.
    const fs::path target = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
    const UnfinishedOutput unfinished(fmt::format("{}.unfinished-{}", target.string(), ::getpid()));
    std::string reason = try_to_write(unfinished.path(), write);
    if (reason.empty()) {
        fs::rename(unfinished.path(), target, error);
        if (!error) return;
        reason = error.message();
    }
    fail_to_write(file, reason);
}

void write_file(const fs::path& file, std::string_view text) {
    write_file(file, [&](std::ostream& out) { out.write(text.data(), static_cast<std::streamsize>(text.size())); });
}

}  // namespace redtune::cli
