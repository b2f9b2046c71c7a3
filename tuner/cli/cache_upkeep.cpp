#include "tuner/cli/cache_upkeep.h"

#include <fmt/format.h>

#include <iostream>
#include <system_error>

#include "tuner/cli/command.h"
#include "tuner/cli/messages.h"
#include "tuner/jit/kernel_key.h"
#include "tuner/jit/kernel_store.h"

namespace redtune::cli {

namespace {

bool fits(const jit::EntryFile& file, const ClearFilter& filter) {
    if (filter.unused_for && std::filesystem::file_time_type::clock::now() - file.used <= *filter.unused_for) {
        return false;
    }
    if (filter.architectures.empty()) return true;
    const jit::InspectedEntry found = jit::inspect_entry(file.path);
    return found.entry && filter.architectures.contains(std::string(jit::architecture_of(found.entry->key)));
}

/// Returns why an entry is not used, as a phrase; empty if it is sound.
std::string problem_of(const jit::EntryFile& file) {
    const jit::InspectedEntry found = jit::inspect_entry(file.path);
    // Another process may have removed the entry since it was listed.
    std::error_code none;
    if (!found.entry) return std::filesystem::exists(file.path, none) ? found.problem : "";
    const std::string& key = found.entry->key;
    if (jit::parse_kernel_key(key)) {
        return jit::decode_kernel(found.entry->blob) ? "" : "it describes no kernel";
    }
    const std::string architecture(jit::architecture_of(key));
    const bool is_other = !architecture.empty() && jit::cubin_key(architecture, found.entry->blob) != key;
    return is_other ? "its machine code is not that of its key" : "";
}

bool remove_file(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::remove(file, error);
    if (error) fmt::print(stderr, "{} cannot be removed: {}.\n", file.string(), error.message());
    return !error;
}

}  // namespace

int clear_cache(const CacheLayer& layer, const ClearFilter& filter, Format format) {
    std::vector<jit::EntryFile> removed;
    bool all_removed = true;
    for (const jit::EntryFile& file : layer.entries()) {
        if (!fits(file, filter)) continue;
        if (remove_file(file.path)) {
            removed.push_back(file);
        } else {
            all_removed = false;
        }
    }
    Table table({{"path"}, {"removed_entries"}, {"removed_bytes"}});
    table.add({layer.folder.string(), static_cast<std::int64_t>(removed.size()), total_bytes(removed)});
    table.print(std::cout, format);
    return all_removed ? done : failed;
}

int verify_cache(const std::vector<CacheLayer>& layers, bool repair, Format format) {
    Table table({{"layer"}, {"path"}, {"problem"}, {"removed"}});
    std::size_t checked = 0;
    bool is_sound = true;
    for (const CacheLayer& layer : layers) {
        const auto add = [&](const std::filesystem::path& path, const std::string& problem, bool is_removed) {
            table.add({std::string(layer.name), path.string(), problem, is_removed});
            is_sound &= is_removed;
        };
        if (const std::string problem = layer.problem(); !problem.empty()) add(layer.folder, problem, false);
        for (const jit::EntryFile& file : layer.entries()) {
            ++checked;
            const std::string problem = problem_of(file);
            if (!problem.empty()) add(file.path, problem, repair && layer.is_own && remove_file(file.path));
        }
    }
    note("{} entries were read; {} problems.\n", checked, table.size());
    if (!is_sound) {
        fmt::print(stderr,
                   "`redtune cache verify --repair` removes such entries from your own folder. Folders that are not "
                   "trusted must be yours or root's, and writable by no one else (chown, chmod go-w).\n");
    }
    if (table.size() != 0 || format == Format::json || format == Format::csv) table.print(std::cout, format);
    return is_sound ? done : failed;
}

}  // namespace redtune::cli
