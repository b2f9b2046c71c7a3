#include "tuner/gpu/driver.h"

#include <fmt/format.h>

#include "tuner/gpu/shared_library.h"

namespace redtune::gpu {

namespace {

constexpr const char* driver_library = "libcuda.so.1";
constexpr const char* remedy = "`redtune doctor` lists what is here and how to get the rest";

struct Loaded {
    Driver driver;
    bool complete = false;
    std::string problem;  // why the driver cannot be used; empty if it can
};

std::string describe(const Driver& driver, CUresult result) {
    const char* name = nullptr;
    const char* text = nullptr;
    driver.cuGetErrorName(result, &name);
    driver.cuGetErrorString(result, &text);
    if (name == nullptr || text == nullptr) return fmt::format("CUDA error {}", static_cast<int>(result));
    return fmt::format("{} ({})", name, text);
}

Loaded load() {
    Loaded loaded;
    std::string reason;
    const std::optional<SharedLibrary> library = SharedLibrary::open(driver_library, reason);
    if (!library) {
        loaded.problem = fmt::format("the NVIDIA driver's library {} cannot be opened ({})", driver_library, reason);
        return loaded;
    }
    std::string missing;
    Driver& driver = loaded.driver;
#define REDTUNE_RESOLVE(name)                                                  \
    driver.name = reinterpret_cast<decltype(&::name)>(library->symbol(#name)); \
    if (driver.name == nullptr && missing.empty()) missing = #name;
    REDTUNE_DRIVER_ENTRIES(REDTUNE_RESOLVE)
#undef REDTUNE_RESOLVE
    if (!missing.empty()) {
        loaded.problem =
            fmt::format("{} has no {}: a driver for CUDA 12.0 or later is needed", driver_library, missing);
        return loaded;
    }
    loaded.complete = true;
    if (const CUresult result = driver.cuInit(0); result != CUDA_SUCCESS) {
        loaded.problem = fmt::format("the NVIDIA driver is installed but cannot be used: {}", describe(driver, result));
    }
    return loaded;
}

const Loaded& loaded() {
    static const Loaded result = load();
    return result;
}

}  // namespace

const Driver* Driver::find() {
    return loaded().problem.empty() ? &loaded().driver : nullptr;
}

const Driver& Driver::get() {
    if (const Driver* driver = find()) return *driver;
    throw DeviceError(fmt::format("no GPU can be used: {}; {}", why_missing(), remedy));
}

const std::string& Driver::why_missing() {
    return loaded().problem;
}

bool Driver::is_installed() {
    return loaded().complete;
}

int Driver::cuda_version() {
    int version = 0;
    if (!is_installed() || loaded().driver.cuDriverGetVersion(&version) != CUDA_SUCCESS) return 0;
    return version;
}

void check(CUresult result, const char* what) {
    if (result == CUDA_SUCCESS) return;
    const std::string message = fmt::format("cannot {}: {}", what, describe(Driver::get(), result));
    if (result == CUDA_ERROR_OUT_OF_MEMORY) throw OutOfDeviceMemory(message);
    throw DeviceError(message);
}

}  // namespace redtune::gpu
