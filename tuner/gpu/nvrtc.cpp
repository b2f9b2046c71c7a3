#include "tuner/gpu/nvrtc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>

#include "tuner/core/environment.h"
#include "tuner/core/program_folder.h"
#include "tuner/gpu/driver.h"
#include "tuner/gpu/nvrtc_library.h"
#include "tuner/gpu/nvrtc_search.h"

namespace redtune::gpu {

struct Nvrtc::Search {
    std::unique_ptr<const Nvrtc> nvrtc;
    std::string problem;
};

namespace {

constexpr int cuda_major(int version) {
    return version / 1000;
}

}  // namespace

const Nvrtc::Search& Nvrtc::search() {
    static const Search result = [] {
        // A driver can load machine code of its own major version of CUDA and of earlier versions.
        const int newest_major = cuda_major(Driver::cuda_version());
        std::unique_ptr<const Library> best;
        std::vector<std::string> reasons;
        for (const std::string& candidate : nvrtc_candidates(environment_variable, program_folder())) {
            std::string reason;
            std::unique_ptr<const Library> library = Library::open(candidate, reason);
            if (library == nullptr) {
                reasons.push_back(std::move(reason));
                continue;
            }
            const bool is_loadable = newest_major == 0 || library->major <= newest_major;
            if (best == nullptr || is_loadable) best = std::move(library);
            if (is_loadable) break;
        }
        Search found;
        if (best != nullptr) {
            found.nvrtc.reset(new Nvrtc(std::move(best)));
        } else {
            found.problem =
                fmt::format("NVRTC, NVIDIA's run-time compiler, cannot be opened ({})", fmt::join(reasons, "; "));
        }
        return found;
    }();
    return result;
}

Nvrtc::Nvrtc(std::unique_ptr<const Library> library) : library_(std::move(library)) {}

Nvrtc::~Nvrtc() = default;

const Nvrtc* Nvrtc::find() {
    return search().nvrtc.get();
}

const Nvrtc& Nvrtc::get() {
    if (const Nvrtc* nvrtc = find()) return *nvrtc;
    throw DeviceError(
        fmt::format("no kernel can be compiled: {}; install the CUDA toolkit or NVIDIA's wheel "
                    "nvidia-cuda-nvrtc and give its folder as REDTUNE_CUDA_LIB; `redtune doctor` "
                    "prints the exact commands",
                    why_missing()));
}

const std::string& Nvrtc::why_missing() {
    return search().problem;
}

std::string Nvrtc::version() const {
    return fmt::format("{}.{}", library_->major, library_->minor);
}

int Nvrtc::major() const noexcept {
    return library_->major;
}

const std::string& Nvrtc::build_identity() const noexcept {
    return library_->identity;
}

std::filesystem::path Nvrtc::path() const {
    return library_->path;
}

std::vector<std::string> Nvrtc::supported_architectures() const {
    int count = 0;
    if (library_->nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS) return {};
    std::vector<int> numbers(static_cast<std::size_t>(count));
    if (library_->nvrtcGetSupportedArchs(numbers.data()) != NVRTC_SUCCESS) return {};
    std::vector<std::string> names;
    for (const int number : numbers) names.push_back(fmt::format("sm_{}", number));
    return names;
}

}  // namespace redtune::gpu
