#include "tuner/gpu/nvrtc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <system_error>
#include <utility>

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

std::function<std::string()>& Nvrtc::find_preferred() {
    static std::function<std::string()> find;
    return find;
}

void Nvrtc::prefer(std::function<std::string()> find) {
    find_preferred() = std::move(find);
}

const Nvrtc::Search& Nvrtc::search() {
    static const Search result = [] {
        const int driver_cuda = Driver::cuda_version();
        std::unique_ptr<const Library> best;
        std::vector<std::string> reasons;
        const std::string preferred = find_preferred() ? find_preferred()() : std::string();
        for (const std::string& candidate : nvrtc_candidates(environment_variable, program_folder(), preferred)) {
            std::string reason;
            std::unique_ptr<const Library> library = Library::open(candidate, reason);
            if (library == nullptr) {
                reasons.push_back(std::move(reason));
                continue;
            }
            const bool loads = is_loadable(library->identity, driver_cuda);
            if (best == nullptr || loads) best = std::move(library);
            if (loads) break;
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
    throw DeviceError(missing_message());
}

std::string Nvrtc::missing_message() {
    return fmt::format(
        "no kernel can be compiled: {}; install the CUDA toolkit or NVIDIA's wheel (pip install nvidia-cuda-nvrtc) and "
        "give its folder as REDTUNE_CUDA_LIB; `redtune doctor` prints the exact commands",
        why_missing());
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

bool is_loadable(std::string_view build_identity, int driver_cuda) {
    if (driver_cuda == 0) return true;
    std::string_view version = build_identity;
    if (version.starts_with(identity_prefix)) version.remove_prefix(identity_prefix.size());
    int major = 0;
    const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), major);
    return error == std::errc() && major <= driver_cuda / 1000;
}

}  // namespace redtune::gpu
