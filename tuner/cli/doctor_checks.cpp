#include "tuner/cli/doctor_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "db/location.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tuner/gpu/device.h"
#include "tuner/gpu/nvml.h"
#include "tuner/gpu/nvrtc.h"
#include "tuner/jit/cubin_cache.h"

namespace redtune::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* no_launches =
    "nothing can be timed or launched here; query, db and tune --device replay:NAME work";
constexpr const char* no_compiles = "no kernel can be compiled; query, db and tune --device replay:NAME work";
const std::vector<std::string> driver_remedies = {
    "Ubuntu: sudo ubuntu-drivers install", "Debian: sudo apt install nvidia-driver",
    "RHEL, Fedora: sudo dnf install cuda-drivers, from NVIDIA's repository",
    "in a container: start it with --gpus all"};

std::string cuda_text(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// Returns ways to install an NVRTC whose code this driver can load. Without a driver, the ways install the newest
/// version that is known to work.
std::vector<std::string> nvrtc_remedies(int driver_cuda) {
    const bool is_12 = driver_cuda != 0 && driver_cuda < 13000;
    return {fmt::format("pip install '{}', into the Python that is first on PATH",
                        is_12 ? "nvidia-cuda-nvrtc-cu12==12.*" : "nvidia-cuda-nvrtc==13.0.*"),
            fmt::format("install {} from NVIDIA's repository for the distribution",
                        is_12 ? "cuda-nvrtc-12-9" : "cuda-nvrtc-13-0"),
            "start redtune as ./scripts/redtune, which fetches it",
            "if it is installed already: export REDTUNE_CUDA_LIB=FOLDER, the folder that has it"};
}

Check driver_check() {
    Check check{"driver", CheckState::ok, {}, {}, {}, true};
    if (gpu::is_driver_installed()) {
        const std::string version = gpu::driver_version();
        check.found = fmt::format("NVIDIA driver {}, CUDA up to {}", version.empty() ? "of unknown version" : version,
                                  cuda_text(gpu::driver_cuda_version()));
        return check;
    }
    check.state = CheckState::missing;
    check.found = gpu::why_no_device();
    check.cost = no_launches;
    check.remedies = driver_remedies;
    return check;
}

Check device_check(const std::vector<gpu::Device>& devices) {
    Check check{"gpu", CheckState::ok, {}, {}, {}, true};
    if (!devices.empty()) {
        std::vector<std::string> names;
        for (const gpu::Device& device : devices) {
            names.push_back(fmt::format("{}: {} ({})", device.ordinal, device.info.name, device.info.architecture()));
        }
        check.found = fmt::format("{}", fmt::join(names, ", "));
        return check;
    }
    check.state = CheckState::missing;
    check.found = "none can be seen without the driver";
    if (gpu::is_driver_installed()) {
        check.found = gpu::why_no_device();
        check.cost = no_launches;
        check.remedies = {"see whether nvidia-smi lists a GPU; if it does, unset CUDA_VISIBLE_DEVICES",
                          "in a container: start it with --gpus all"};
    }
    return check;
}

/// Compiles an empty kernel. Loading NVRTC is not enough as a check, because NVRTC opens further libraries only when it
/// compiles.
/// @return the error; empty if it compiles
std::string try_to_compile(const gpu::Nvrtc& nvrtc, const std::string& architecture) {
    try {
        nvrtc.compile("extern \"C\" __global__ void probe() {}", "probe.cu", {}, {"--gpu-architecture=" + architecture},
                      {});
        return {};
    } catch (const gpu::NvrtcError& error) {
        return error.what();
    }
}

Check nvrtc_check() {
    Check check{"nvrtc", CheckState::ok, {}, {}, {}, true};
    const gpu::Nvrtc* nvrtc = gpu::Nvrtc::find();
    std::string problem = gpu::Nvrtc::why_missing();
    if (nvrtc != nullptr) {
        check.found = fmt::format("NVRTC {}, {}", nvrtc->version(), nvrtc->path().string());
        const std::vector<std::string> architectures = nvrtc->supported_architectures();
        problem = architectures.empty() ? "it reports no architecture that it compiles for"
                                        : try_to_compile(*nvrtc, architectures.front());
        if (problem.empty()) return check;
        check.found += ", does not compile: ";
    }
    check.state = CheckState::missing;
    check.found += problem;
    check.cost = no_compiles;
    check.remedies = nvrtc_remedies(gpu::driver_cuda_version());
    return check;
}

/// Checks that the driver can load code that this NVRTC compiled, and that NVRTC can compile for the devices.
Check match_check(const gpu::Nvrtc& nvrtc, const std::vector<gpu::Device>& devices) {
    Check check{"nvrtc_fits_gpu", CheckState::ok, {}, {}, {}, true};
    const int driver_cuda = gpu::driver_cuda_version();
    const std::vector<std::string> known = nvrtc.supported_architectures();
    if (nvrtc.major() > driver_cuda / 1000) {
        check.found = fmt::format("code of NVRTC {} does not load on a driver of CUDA {}", nvrtc.version(),
                                  cuda_text(driver_cuda));
        check.remedies = nvrtc_remedies(driver_cuda);
        check.remedies.push_back("install a newer driver");
    }
    for (const gpu::Device& device : devices) {
        const std::string wanted = device.info.architecture();
        if (std::ranges::find(known, wanted) != known.end() || !check.found.empty()) continue;
        check.found = fmt::format("NVRTC {} cannot compile for {}, which is {}; it supports {}", nvrtc.version(),
                                  device.info.name, wanted, fmt::join(known, ", "));
        check.remedies = {
            "export REDTUNE_CUDA_LIB=FOLDER, with an NVRTC that supports the GPU: of CUDA 12 for a GPU "
            "older than sm_75, else a newer one"};
    }
    if (check.found.empty()) {
        check.found = fmt::format("NVRTC {} for a driver of CUDA {}", nvrtc.version(), cuda_text(driver_cuda));
        return check;
    }
    check.state = CheckState::missing;
    check.cost = no_launches;
    return check;
}

Check nvml_check() {
    Check check{"nvml", CheckState::ok, {}, {}, {}, false};
    if (gpu::Nvml::find() != nullptr) {
        check.found = "libnvidia-ml.so.1";
        return check;
    }
    check.state = CheckState::warning;
    check.found = gpu::Nvml::why_missing();
    check.cost = "clocks, temperature and power are not recorded with measurements";
    check.remedies = {"Debian: sudo apt install libnvidia-ml1",
                      "Ubuntu: sudo apt install libnvidia-compute-NNN, with NNN the driver's major version",
                      "in a container: start it with NVIDIA_DRIVER_CAPABILITIES=compute,utility"};
    return check;
}

/// Returns why a file cannot be written or created; empty if it can be. Creates nothing.
std::string why_not_writable(const fs::path& file) {
    std::error_code error;
    if (fs::exists(file, error) && ::access(file.c_str(), W_OK) != 0) return file.string() + " cannot be written";
    // SQLite creates its journal in the folder of the file, so that folder must be writable. A missing folder is
    // created in its nearest existing parent.
    fs::path folder = file.parent_path();
    while (folder.has_relative_path() && !fs::exists(folder, error)) folder = folder.parent_path();
    if (folder.empty()) folder = ".";
    if (!fs::is_directory(folder, error)) return folder.string() + " is not a folder";
    if (::access(folder.c_str(), W_OK) != 0) return folder.string() + " cannot be written";
    return {};
}

/// Returns the number of winners in a database.
/// @throws DatabaseError if it cannot be read
std::size_t count_winners(const fs::path& file, db::Access access) {
    return db::Store::open(file, access).winners().size();
}

}  // namespace

std::string_view check_state_name(CheckState state) noexcept {
    switch (state) {
        case CheckState::ok:
            return "ok";
        case CheckState::warning:
            return "warning";
        case CheckState::missing:
            break;
    }
    return "missing";
}

Check cache_check() {
    Check check{"kernel_cache", CheckState::ok, {}, {}, {}, false};
    jit::CubinCache cache(jit::CubinCache::default_folder(), jit::CubinCache::default_cap_bytes());
    cache.put("redtune doctor", "a write that succeeds");
    check.found = cache.warning();
    if (check.found.empty()) {
        check.found = cache.folder().string();
        return check;
    }
    check.state = CheckState::warning;
    check.cost = "every start compiles its kernels again";
    check.remedies = {"export REDTUNE_CACHE=FOLDER, a folder of your own with room in it"};
    return check;
}

Check database_check() {
    Check check{"database", CheckState::ok, {}, {}, {}, false};
    std::string problem;
    try {
        const fs::path path = db::user_database_path();
        check.found = path.string();
        std::error_code none;
        if (fs::exists(path, none)) {
            check.found += fmt::format(", {} winners", count_winners(path, db::Access::read_only));
        }
        problem = why_not_writable(path);
    } catch (const Error& error) {
        problem = error.what();
    }
    if (problem.empty()) return check;
    check.state = CheckState::missing;
    check.found = problem;
    check.cost =
        "tune cannot store its measurements, and query fails while REDTUNE_DB names a file that is no database";
    check.remedies = {"export REDTUNE_DB=FILE, a redtune database or a new file, in a folder that you can write"};
    return check;
}

Check shipped_data_check() {
    Check check{"shipped_data", CheckState::ok, {}, {}, {}, false};
    const std::vector<std::string> remedies = {
        "build and install redtune again",
        "export REDTUNE_SYSTEM_DATA=FOLDER, the share/redtune of an installation or of a build folder"};
    const fs::path folder = db::system_data_folder();
    try {
        std::size_t winners = 0;
        for (const fs::path& file : db::winners_files(folder)) winners += count_winners(file, db::Access::immutable);
        std::vector<std::string> names;
        for (const db::Recording& recording : db::recordings_in(folder)) {
            db::Store::open(recording.file, db::Access::immutable).devices();
            names.push_back("replay:" + recording.name);
        }
        check.found = fmt::format("{}, {} winners, {}", folder.string(), winners,
                                  names.empty() ? "no recording" : fmt::format("{}", fmt::join(names, ", ")));
        if (winners > 0 && !names.empty()) return check;
        check.state = CheckState::warning;
        check.cost = winners == 0 ? "query has only the devices that you tuned" : "no recorded device can be replayed";
    } catch (const Error& error) {
        check.state = CheckState::missing;
        check.found = error.what();
        check.cost = "query cannot read the shipped winners, or tune cannot replay the recorded device";
    }
    check.remedies = remedies;
    return check;
}

std::vector<Check> run_checks() {
    const std::vector<gpu::Device> devices = gpu::list_devices();
    std::vector<Check> checks = {driver_check(), device_check(devices), nvrtc_check()};
    const gpu::Nvrtc* nvrtc = gpu::Nvrtc::find();
    if (nvrtc != nullptr && gpu::is_driver_installed()) checks.push_back(match_check(*nvrtc, devices));
    checks.push_back(nvml_check());
    checks.push_back(cache_check());
    checks.push_back(database_check());
    checks.push_back(shipped_data_check());
    return checks;
}

}  // namespace redtune::cli
