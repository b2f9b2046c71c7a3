#include "tuner/jit/cubin_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include "redtune/error.h"
#include "tuner/core/environment.h"
#include "tuner/core/hash.h"
#include "tuner/jit/cache_entry.h"
#include "tuner/jit/cache_file.h"

namespace redtune::jit {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t default_cap_mib = 512;
constexpr std::string_view suffix = ".entry";
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

struct Entry {
    fs::path path;
    std::uint64_t bytes = 0;
    fs::file_time_type used;
};

/// Returns the folder's entries, least recently used first, and removes temporary files that processes left behind.
std::vector<Entry> list_entries(const fs::path& folder) {
    std::vector<Entry> entries;
    std::error_code error;
    for (fs::directory_iterator item(folder, error), end; !error && item != end; item.increment(error)) {
        // Another process may remove a file at any time; a file that cannot be queried is not counted.
        std::error_code gone;
        Entry entry{item->path(), item->file_size(gone), {}};
        if (!gone) entry.used = item->last_write_time(gone);
        if (gone) continue;
        if (entry.path.extension() == suffix) {
            entries.push_back(std::move(entry));
        } else if (is_abandoned(entry.path, entry.used)) {
            fs::remove(entry.path, gone);
        }
    }
    std::ranges::sort(entries, {}, &Entry::used);
    return entries;
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

CubinCache::CubinCache(fs::path folder, std::uint64_t cap_bytes) : folder_(std::move(folder)), cap_bytes_(cap_bytes) {
    const std::string problem = prepare_folder(folder_);
    if (!problem.empty()) {
        warn(fmt::format("the kernel cache is off: {}; {}", problem, remedy));
        return;
    }
    is_readable_ = true;
    is_writable_ = true;
}

fs::path CubinCache::entry_path(std::string_view key) const {
    return folder_ / (content_hash(key) + std::string(suffix));
}

std::optional<std::string> CubinCache::get(std::string_view key) const {
    if (!is_readable_) return std::nullopt;
    const std::optional<std::string> bytes = read_and_touch(entry_path(key));
    return bytes ? decode_entry(*bytes, key) : std::nullopt;
}

void CubinCache::put(std::string_view key, std::string_view blob) {
    const std::string bytes = encode_entry(key, blob);
    {
        const std::lock_guard lock(mutex_);
        if (!is_writable_ || bytes.size() > cap_bytes_) return;
    }
    const std::string problem = write_atomically(entry_path(key), bytes);

    const std::lock_guard lock(mutex_);
    if (!problem.empty()) {
        is_writable_ = false;
        warn(fmt::format("the kernel cache takes no more entries: {}; make room there, or {}", problem, remedy));
        return;
    }
    total_bytes_ += bytes.size();
    const bool is_due = bytes.size() >= bytes_until_count_;
    bytes_until_count_ -= std::min<std::uint64_t>(bytes.size(), bytes_until_count_);
    if (is_due || total_bytes_ > cap_bytes_) make_room();
}

std::string CubinCache::warning() const {
    const std::lock_guard lock(mutex_);
    return warning_;
}

void CubinCache::warn(std::string text) {
    if (warning_.empty()) warning_ = std::move(text);
}

void CubinCache::make_room() {
    const std::vector<Entry> entries = list_entries(folder_);
    total_bytes_ = 0;
    for (const Entry& entry : entries) total_bytes_ += entry.bytes;
    bytes_until_count_ = bytes_between_counts(cap_bytes_);
    if (total_bytes_ <= cap_bytes_) return;
    for (const Entry& entry : entries) {
        if (total_bytes_ <= evict_to(cap_bytes_)) break;
        std::error_code error;
        fs::remove(entry.path, error);
        total_bytes_ -= entry.bytes;
    }
}

}  // namespace redtune::jit
