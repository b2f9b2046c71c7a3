#include "tuner/gpu/driver.h"

#include <fmt/format.h>

#include "tuner/gpu/shared_library.h"

namespace redtune::gpu {

namespace {

constexpr const char* driver_library = "libcuda.so.1";
constexpr const char* remedy = "`redtune doctor` lists what is here and how to get the rest";

/// The library with its functions.
struct Opened {
    Driver driver;
    std::string problem;  ///< why the functions cannot be called; empty if they can
};

std::string describe(const Driver& driver, CUresult result) {
    const char* name = nullptr;
    const char* text = nullptr;
    driver.cuGetErrorName(result, &name);
    driver.cuGetErrorString(result, &text);
    if (name == nullptr || text == nullptr) return fmt::format("CUDA error {}", static_cast<int>(result));
    return fmt::format("{} ({})", name, text);
}

Opened open() {
    Opened opened;
    std::string reason;
    const std::optional<SharedLibrary> library = SharedLibrary::open(driver_library, reason);
    if (!library) {
        opened.problem = fmt::format("the NVIDIA driver's library {} cannot be opened ({})", driver_library, reason);
        return opened;
    }
    std::string missing;
    Driver& driver = opened.driver;
#define REDTUNE_RESOLVE(name)                                                  \
    driver.name = reinterpret_cast<decltype(&::name)>(library->symbol(#name)); \
    if (driver.name == nullptr && missing.empty()) missing = #name;
    REDTUNE_DRIVER_ENTRIES(REDTUNE_RESOLVE)
#undef REDTUNE_RESOLVE
    if (!missing.empty()) {
        opened.problem =
            fmt::format("{} has no {}: a driver for CUDA 12.0 or later is needed", driver_library, missing);
    }
    return opened;
}

const Opened& opened() {
    static const Opened result = open();
    return result;
}

/// Returns why the driver cannot be used; empty if it can.
std::string initialize() {
    if (!opened().problem.empty()) return opened().problem;
    const CUresult result = opened().driver.cuInit(0);
    if (result == CUDA_SUCCESS) return {};
    return fmt::format("the NVIDIA driver is installed but cannot be used: {}", describe(opened().driver, result));
}

}  // namespace

const Driver* Driver::find() {
    return why_missing().empty() ? &opened().driver : nullptr;
}

const Driver& Driver::get() {
    if (const Driver* driver = find()) return *driver;
    throw DeviceError(fmt::format("no GPU can be used: {}; {}", why_missing(), remedy));
}

const std::string& Driver::why_missing() {
    static const std::string problem = initialize();
    return problem;
}

bool Driver::is_installed() {
    return opened().problem.empty();
}

int Driver::cuda_version() {
    int version = 0;
    if (!is_installed() || opened().driver.cuDriverGetVersion(&version) != CUDA_SUCCESS) return 0;
    return version;
}

void check(CUresult result, const char* what) {
    if (result == CUDA_SUCCESS) return;
    const std::string message = fmt::format("cannot {}: {}", what, describe(Driver::get(), result));
    if (result == CUDA_ERROR_OUT_OF_MEMORY) throw OutOfDeviceMemory(message);
    throw DeviceError(message);
}

}  // namespace redtune::gpu
