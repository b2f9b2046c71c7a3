#include "tuner/gpu/nvrtc_library.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "tuner/core/hash.h"
#include "tuner/gpu/nvrtc_search.h"
#include "tuner/gpu/shared_library.h"

namespace redtune::gpu {

namespace {

void open_builtins(const std::filesystem::path& nvrtc) {
    // Ignores failures: NVRTC may find the builtins library itself. If it does not, it reports an error when it
    // compiles.
    std::string reason;
    for (const std::string& builtins : builtins_beside(nvrtc)) SharedLibrary::open(builtins, reason);
}

std::string file_hash(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return content_hash(std::string(std::istreambuf_iterator<char>(stream), {}));
}

}  // namespace

std::unique_ptr<const Nvrtc::Library> Nvrtc::Library::open(const std::string& candidate, std::string& reason) {
    const bool is_path = candidate.find('/') != std::string::npos;
    if (is_path) open_builtins(candidate);
    std::optional<SharedLibrary> opened = SharedLibrary::open(candidate, reason);
    if (!opened) return nullptr;

    auto library = std::make_unique<Library>();
    std::string missing;
#define REDTUNE_RESOLVE(name)                                                   \
    library->name = reinterpret_cast<decltype(&::name)>(opened->symbol(#name)); \
    if (library->name == nullptr && missing.empty()) missing = #name;
    REDTUNE_NVRTC_ENTRIES(REDTUNE_RESOLVE)
#undef REDTUNE_RESOLVE
    if (!missing.empty() || library->nvrtcVersion(&library->major, &library->minor) != NVRTC_SUCCESS) {
        reason = missing.empty() ? fmt::format("{} does not tell its version", candidate)
                                 : fmt::format("{} has no {}: NVRTC 12.0 or later is needed", candidate, missing);
        opened->close();
        return nullptr;
    }
    const void* address = reinterpret_cast<const void*>(library->nvrtcVersion);
    library->path = file_of(address);
    if (!is_path) open_builtins(library->path);
    const std::string build_id = build_id_of(address);
    library->identity = fmt::format("{}{}.{} {}", identity_prefix, library->major, library->minor,
                                    build_id.empty() ? file_hash(library->path) : build_id);
    return library;
}

}  // namespace redtune::gpu
