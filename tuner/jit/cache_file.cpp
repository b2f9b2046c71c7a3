#include "tuner/jit/cache_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace redtune::jit {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view part_prefix = ".part-";
constexpr mode_t readable_folder = S_IRWXU | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH;
constexpr mode_t readable_file = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
// A temporary file older than this is assumed to be abandoned by its writer.
constexpr std::chrono::hours abandoned_after{1};

class File {
  public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    int get() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }

  private:
    int descriptor_;
};

std::string last_error() {
    return std::system_category().message(errno);
}

std::string why_not_trusted(const struct stat& status) {
    constexpr uid_t root = 0;
    if (status.st_uid != ::geteuid() && status.st_uid != root) return "it belongs to another user";
    // With user private groups, whose number is that of their only member, folders are made writable by the group.
    const bool is_private_group = status.st_gid == status.st_uid;
    const mode_t others = is_private_group ? S_IWOTH : S_IWGRP | S_IWOTH;
    if ((status.st_mode & others) != 0) return "other users may write to it";
    return {};
}

bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

std::string why_not_trusted(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return last_error();
    return why_not_trusted(status);
}

std::string prepare_folder(const fs::path& folder, Readers readers) {
    if (folder.empty()) return "neither REDTUNE_CACHE nor HOME is set";
    std::error_code error;
    // The parent path of "cache/" would be the folder itself, not the folder above it.
    const fs::path parent = (folder.has_filename() ? folder : folder.parent_path()).parent_path();
    if (!parent.empty()) fs::create_directories(parent, error);
    if (::mkdir(folder.c_str(), S_IRWXU) == 0) {
        // mkdir() applies the umask, which may take the others' right to read.
        if (readers == Readers::everyone) ::chmod(folder.c_str(), readable_folder);
    } else if (errno != EEXIST) {
        return fmt::format("{} cannot be made ({})", folder.string(), last_error());
    }
    if (!fs::is_directory(folder, error)) return folder.string() + " is not a folder";
    const std::string distrust = why_not_trusted(folder);
    return distrust.empty() ? std::string() : fmt::format("{}: {}", folder.string(), distrust);
}

ReadFile read_trusted(const fs::path& file, bool touch) {
    // O_NOFOLLOW: a symbolic link could point anywhere. O_NONBLOCK: opening a pipe would wait for a writer.
    const File opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    if (!opened.is_open() || ::fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    if (std::string distrust = why_not_trusted(status); !distrust.empty()) return {{}, std::move(distrust)};
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = ::read(opened.get(), bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return {};
        done += static_cast<std::size_t>(got);
    }
    // Ignores a failure: on a read-only file system the entry is still valid, and nothing is evicted, so its time does
    // not matter.
    if (touch) ::futimens(opened.get(), nullptr);
    return {std::move(bytes), {}};
}

std::string write_atomically(const fs::path& file, std::string_view bytes, Readers readers) {
    std::string part = file.parent_path() / (std::string(part_prefix) + "XXXXXX");
    const auto fail = [&](const std::string& reason) {
        ::unlink(part.c_str());
        return fmt::format("{} cannot be written ({})", file.string(), reason);
    };
    const File opened(::mkostemp(part.data(), O_CLOEXEC));
    if (!opened.is_open()) return fmt::format("{} cannot be written ({})", file.parent_path().string(), last_error());
    if (!write_all(opened.get(), bytes)) return fail(last_error());
    if (readers == Readers::everyone && ::fchmod(opened.get(), readable_file) != 0) return fail(last_error());
    if (::fsync(opened.get()) != 0) return fail(last_error());
    if (::rename(part.c_str(), file.c_str()) != 0) return fail(last_error());
    // Makes the rename survive a power failure. A failure is ignored, because readers already see the entry.
    if (const File folder(::open(file.parent_path().c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY)); folder.is_open()) {
        ::fsync(folder.get());
    }
    return {};
}

bool is_abandoned(const fs::path& file, fs::file_time_type written) {
    return file.filename().native().starts_with(part_prefix) &&
           fs::file_time_type::clock::now() - written > abandoned_after;
}

}  // namespace redtune::jit
