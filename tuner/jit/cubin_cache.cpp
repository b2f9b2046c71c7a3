#include "tuner/jit/cubin_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "redtune/error.h"
#include "tuner/core/data_folder.h"
#include "tuner/core/environment.h"
#include "tuner/jit/cache_entry.h"

namespace redtune::jit {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t default_cap_mib = 512;
constexpr const char* remedy = "set REDTUNE_CACHE to a folder of your own to keep compiled kernels";

/// Returns the size to which eviction shrinks the folder. It is below the cap, so that the next put() need not evict.
std::uint64_t evict_to(std::uint64_t cap_bytes) {
    return cap_bytes / 10 * 9;
}

/// Returns how many bytes this process may store before it counts the folder's size again. Its running total is too
/// small, because other processes add entries too.
std::uint64_t bytes_between_counts(std::uint64_t cap_bytes) {
    return cap_bytes / 10;
}

/// Removes the temporary files that processes left behind.
void remove_abandoned(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator item(folder, error), end; !error && item != end; item.increment(error)) {
        std::error_code gone;
        const fs::file_time_type written = item->last_write_time(gone);
        if (!gone && is_abandoned(item->path(), written)) fs::remove(item->path(), gone);
    }
}

}  // namespace

fs::path CubinCache::default_folder() {
    if (const auto folder = environment_variable("REDTUNE_CACHE")) return *folder;
    if (const auto cache = environment_variable("XDG_CACHE_HOME")) return fs::path(*cache) / "redtune";
    if (const auto home = environment_variable("HOME")) return fs::path(*home) / ".cache" / "redtune";
    return {};
}

std::uint64_t CubinCache::default_cap_bytes() {
    std::uint64_t mib = default_cap_mib;
    if (const auto given = environment_variable("REDTUNE_CACHE_MAX_MIB")) {
        const std::string& text = *given;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mib);
        if (error != std::errc() || end != text.data() + text.size() || mib > (UINT64_MAX >> 20)) {
            throw InputError(
                fmt::format("REDTUNE_CACHE_MAX_MIB is \"{}\": give the size that the kernel cache may "
                            "grow to as a whole number of MiB, such as {}, or unset it",
                            text, default_cap_mib));
        }
    }
    return mib << 20;
}

fs::path CubinCache::default_system_folder() {
    if (const auto folder = environment_variable("REDTUNE_SYSTEM_CACHE")) return *folder;
    return system_data_folder() / "cubins";
}

CubinCache CubinCache::open_default() {
    return CubinCache(default_folder(), default_cap_bytes(), default_system_folder());
}

CubinCache::CubinCache(fs::path folder, std::uint64_t cap_bytes, fs::path system_folder, Readers readers)
    : cap_bytes_(cap_bytes),
      readers_(readers),
      folder_problem_(prepare_folder(folder, readers)),
      user_(std::move(folder), EntryFolder::Touch::at_use),
      system_(std::move(system_folder), EntryFolder::Touch::never),
      is_writable_(folder_problem_.empty()) {}

std::optional<std::string> CubinCache::get(std::string_view key) const {
    std::optional<std::string> blob = user_.get(key);
    return blob ? blob : system_.get(key);
}

bool CubinCache::find(std::string_view key, const std::function<bool(const std::string& blob)>& accept) const {
    for (const EntryFolder* layer : {&user_, &system_}) {
        const std::optional<std::string> blob = layer->get(key);
        if (blob && accept(*blob)) return true;
    }
    return false;
}

void CubinCache::put(std::string_view key, std::string_view blob) {
    const std::string bytes = encode_entry(key, blob);
    {
        const std::lock_guard lock(mutex_);
        if (!is_writable_ || bytes.size() > cap_bytes_) return;
    }
    const std::string problem = write_atomically(entry_path(folder(), key), bytes, readers_);

    const std::lock_guard lock(mutex_);
    if (!problem.empty()) {
        is_writable_ = false;
        write_warning_ =
            fmt::format("the kernel cache takes no more entries: {}; make room there, or {}", problem, remedy);
        return;
    }
    total_bytes_ += bytes.size();
    const bool is_due = bytes.size() >= bytes_until_count_;
    bytes_until_count_ -= std::min<std::uint64_t>(bytes.size(), bytes_until_count_);
    if (is_due || total_bytes_ > cap_bytes_) make_room();
}

bool CubinCache::is_writable() const {
    const std::lock_guard lock(mutex_);
    return is_writable_;
}

std::string CubinCache::warning() const {
    if (!folder_problem_.empty()) return fmt::format("the kernel cache is off: {}; {}", folder_problem_, remedy);
    if (std::string distrust = user_.warning(); !distrust.empty()) return distrust;
    if (std::string distrust = system_.warning(); !distrust.empty()) return distrust;
    const std::lock_guard lock(mutex_);
    return write_warning_;
}

void CubinCache::make_room() {
    remove_abandoned(folder());
    const std::vector<EntryFile> entries = list_entries(folder());
    total_bytes_ = 0;
    for (const EntryFile& entry : entries) total_bytes_ += entry.bytes;
    bytes_until_count_ = bytes_between_counts(cap_bytes_);
    if (total_bytes_ <= cap_bytes_) return;
    for (const EntryFile& entry : entries) {
        if (total_bytes_ <= evict_to(cap_bytes_)) break;
        std::error_code error;
        fs::remove(entry.path, error);
        total_bytes_ -= entry.bytes;
    }
}

}  // namespace redtune::jit
