#include "tuner/jit/entry_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "tuner/core/hash.h"
#include "tuner/jit/cache_file.h"

namespace redtune::jit {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view suffix = ".entry";
constexpr const char* owner_remedy =
    "make it yours or root's with chown, and take the others' right to write with chmod go-w, or delete it";

}  // namespace

fs::path entry_path(const fs::path& folder, std::string_view key) {
    return folder / (content_hash(key) + std::string(suffix));
}

std::vector<EntryFile> list_entries(const fs::path& folder) {
    std::vector<EntryFile> entries;
    std::error_code error;
    for (fs::directory_iterator item(folder, error), end; !error && item != end; item.increment(error)) {
        if (item->path().extension() != suffix) continue;
        // Another process may remove a file at any time; a file that cannot be queried is not listed.
        std::error_code gone;
        EntryFile entry{item->path(), item->file_size(gone), {}};
        if (!gone) entry.used = item->last_write_time(gone);
        if (!gone) entries.push_back(std::move(entry));
    }
    std::ranges::sort(entries, {}, &EntryFile::used);
    return entries;
}

InspectedEntry inspect_entry(const fs::path& file) {
    const ReadFile read = read_trusted(file);
    if (!read.distrust.empty()) return {{}, read.distrust};
    if (!read.bytes) return {{}, "it cannot be read"};
    std::optional<CacheEntry> entry = decode_entry(*read.bytes);
    if (!entry) return {{}, "it is damaged"};
    if (entry_path(file.parent_path(), entry->key) != file) return {{}, "it has the name of another entry"};
    return {std::move(entry), {}};
}

EntryFolder::EntryFolder(fs::path folder, Touch touch) : path_(std::move(folder)), touch_(touch) {
    std::error_code none;
    if (path_.empty() || !fs::exists(path_, none)) return;
    warning_ = why_not_trusted(path_);
    is_used_ = warning_.empty();
    if (!is_used_) warning_ = fmt::format("no kernel is taken from {}: {}; {}", path_.string(), warning_, owner_remedy);
}

std::optional<std::string> EntryFolder::get(std::string_view key) const {
    if (!is_used_) return std::nullopt;
    const fs::path file = entry_path(path_, key);
    const ReadFile read = read_trusted(file, touch_ == Touch::at_use);
    if (!read.distrust.empty()) {
        const std::lock_guard lock(mutex_);
        if (warning_.empty()) {
            warning_ =
                fmt::format("the cached kernel {} is not used: {}; {}", file.string(), read.distrust, owner_remedy);
        }
    }
    return read.bytes ? decode_entry(*read.bytes, key) : std::nullopt;
}

std::string EntryFolder::warning() const {
    const std::lock_guard lock(mutex_);
    return warning_;
}

}  // namespace redtune::jit
