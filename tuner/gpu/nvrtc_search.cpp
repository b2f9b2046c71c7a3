#include "tuner/gpu/nvrtc_search.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

namespace redtune::gpu {

namespace fs = std::filesystem;

namespace {

constexpr std::array sonames = {"libnvrtc.so.13", "libnvrtc.so.12"};

/// Returns the paths of a folder's files whose names begin with `prefix`, sorted; none if it cannot be read.
std::vector<std::string> entries(const fs::path& folder, std::string_view prefix) {
    std::vector<std::string> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().filename().native().starts_with(prefix)) found.push_back(entry->path().native());
    }
    std::ranges::sort(found);
    return found;
}

void add_folder(std::vector<std::string>& candidates, const fs::path& folder) {
    for (const char* soname : sonames) {
        std::error_code error;
        if (fs::path path = folder / soname; fs::exists(path, error)) candidates.push_back(path.native());
    }
}

/// Returns the folder that contains bin/python3 for the first Python on $PATH. Symbolic links are not followed, because
/// the python3 of a virtual environment is a link, and the environment's packages are in the folder of the link.
fs::path python_root(std::string_view path) {
    while (!path.empty()) {
        const std::size_t end = std::min(path.find(':'), path.size());
        const fs::path folder = path.substr(0, end);
        std::error_code error;
        if (!folder.empty() && fs::exists(folder / "python3", error)) return folder.parent_path();
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return {};
}

/// Adds the NVRTC libraries that NVIDIA's Python wheels have installed under `root`. The wheels of CUDA 13 and of CUDA
/// 12 use different folders.
void add_wheels(std::vector<std::string>& candidates, const fs::path& root) {
    for (const std::string& python : entries(root / "lib", "python3")) {
        for (const char* packages : {"site-packages", "dist-packages"}) {
            const fs::path nvidia = fs::path(python) / packages / "nvidia";
            add_folder(candidates, nvidia / "cu13" / "lib");
            add_folder(candidates, nvidia / "cuda_nvrtc" / "lib");
        }
    }
}

}  // namespace

std::vector<std::string> nvrtc_candidates(const Environment& environment, const fs::path& program_folder,
                                          const std::string& preferred) {
    if (const auto file = environment("REDTUNE_NVRTC")) return {*file};
    std::vector<std::string> candidates;
    if (const auto folder = environment("REDTUNE_CUDA_LIB")) add_folder(candidates, *folder);
    if (!preferred.empty()) candidates.push_back(preferred);
    candidates.insert(candidates.end(), sonames.begin(), sonames.end());
    if (!program_folder.empty()) add_folder(candidates, program_folder / ".." / "lib");
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const auto toolkit = environment(name)) add_folder(candidates, fs::path(*toolkit) / "lib64");
    }
    add_folder(candidates, "/usr/local/cuda/lib64");
    if (const auto path = environment("PATH")) add_wheels(candidates, python_root(*path));
    if (const auto home = environment("HOME")) add_wheels(candidates, fs::path(*home) / ".local");
    add_wheels(candidates, "/usr/local");
    return candidates;
}

std::vector<std::string> builtins_beside(const fs::path& nvrtc) {
    return entries(nvrtc.parent_path(), "libnvrtc-builtins.so.");
}

}  // namespace redtune::gpu
