#include "tuner/cli/cache_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>

#include "tuner/cli/command.h"
#include "tuner/core/clock.h"
#include "tuner/jit/cubin_cache.h"
#include "tuner/jit/kernel_key.h"
#include "tuner/jit/kernel_store.h"

namespace redtune::cli {

namespace {

/// Returns the text without the namespace of the device code.
std::string without_namespace(std::string text) {
    constexpr std::string_view prefix = "redtune::";
    for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix)) text.erase(at, prefix.size());
    return text;
}

/// Returns the version in a build identity of NVRTC: "13.0" for "nvrtc 13.0 <build id>".
std::string version_of(const std::string& identity) {
    const std::size_t begin = identity.find(' ') + 1;
    return identity.substr(begin, identity.find(' ', begin) - begin);
}

/// A kernel's entry in a layer.
struct ListedKernel {
    jit::KernelKey key;
    jit::KernelEntry entry;
    std::filesystem::file_time_type used;
};

/// The kernels of one layer, and the sizes of its cubins.
struct ListedLayer {
    std::vector<ListedKernel> kernels;  ///< those used last first
    std::map<std::string, std::int64_t> cubin_bytes;
};

ListedLayer read_layer(const CacheLayer& layer) {
    ListedLayer listed;
    for (const jit::EntryFile& file : layer.entries()) {
        const jit::InspectedEntry found = jit::inspect_entry(file.path);
        if (!found.entry) continue;
        if (auto key = jit::parse_kernel_key(found.entry->key)) {
            auto entry = jit::decode_kernel(found.entry->blob);
            if (entry) listed.kernels.push_back({std::move(*key), std::move(*entry), file.used});
        } else {
            listed.cubin_bytes[found.entry->key] = static_cast<std::int64_t>(found.entry->blob.size());
        }
    }
    std::ranges::reverse(listed.kernels);
    return listed;
}

}  // namespace

void print_cache_stats(const std::vector<CacheLayer>& layers, Format format) {
    Table table({{"layer"}, {"path"}, {"exists"}, {"entries"}, {"bytes"}, {"cap_bytes"}, {"problem"}});
    for (const CacheLayer& layer : layers) {
        const std::vector<jit::EntryFile> entries = layer.entries();
        const std::string problem = layer.problem();
        const bool is_capped = layer.name == "user";
        table.add({std::string(layer.name), layer.folder.string(), layer.exists(),
                   static_cast<std::int64_t>(entries.size()), total_bytes(entries),
                   is_capped ? Cell(static_cast<std::int64_t>(jit::CubinCache::default_cap_bytes())) : Cell(),
                   problem.empty() ? Cell() : Cell(problem)});
    }
    table.print(std::cout, format);
}

int print_cached_kernels(const std::vector<CacheLayer>& layers, const std::set<std::string>& architectures,
                         Format format) {
    Table table({{"layer"},
                 {"architecture"},
                 {"nvrtc"},
                 {"kernel"},
                 {"registers", 0, Visibility::if_room},
                 {"cubin_bytes", 0, Visibility::if_room},
                 {"last_used_at", 0, Visibility::if_room}});
    for (const CacheLayer& layer : layers) {
        const ListedLayer listed = read_layer(layer);
        for (const ListedKernel& kernel : listed.kernels) {
            if (!architectures.empty() && !architectures.contains(kernel.key.architecture)) continue;
            const jit::CompiledKernel& compiled = kernel.entry.kernel;
            const auto cubin = listed.cubin_bytes.find(kernel.entry.key_of_cubin);
            table.add({std::string(layer.name), kernel.key.architecture,
                       Abbreviated{compiled.nvrtc, version_of(compiled.nvrtc)},
                       Abbreviated{kernel.key.expression, without_namespace(kernel.key.expression)},
                       std::int64_t{compiled.resources.registers},
                       cubin == listed.cubin_bytes.end() ? Cell() : Cell(cubin->second),
                       utc_text(std::chrono::file_clock::to_sys(kernel.used))});
        }
    }
    if (table.size() == 0) {
        fmt::print(stderr, "No kernel is cached{}; `redtune warm` compiles those of the winners.\n",
                   architectures.empty() ? "" : " for these architectures");
        return nothing_found;
    }
    table.print(std::cout, format);
    return done;
}

}  // namespace redtune::cli
