#include "tuner/gpu/nvml.h"

#include <fmt/format.h>

#include <array>

#include "tuner/gpu/nvml_entries.h"
#include "tuner/gpu/shared_library.h"

namespace redtune::gpu {

struct Nvml::Search {
    NvmlEntries entries;
    std::string problem;
};

namespace {

constexpr const char* nvml_library = "libnvidia-ml.so.1";

template <class Function>
void resolve(const SharedLibrary& library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(library.symbol(name));
}

NvmlEntries resolve_all(const SharedLibrary& library) {
    NvmlEntries entries;
    resolve(library, entries.init, "nvmlInit_v2");
    resolve(library, entries.error_string, "nvmlErrorString");
    resolve(library, entries.driver_version, "nvmlSystemGetDriverVersion");
    resolve(library, entries.handle_by_uuid, "nvmlDeviceGetHandleByUUID");
    resolve(library, entries.card_of_mig_slice, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle");
    resolve(library, entries.clock, "nvmlDeviceGetClockInfo");
    resolve(library, entries.max_clock, "nvmlDeviceGetMaxClockInfo");
    resolve(library, entries.temperature, "nvmlDeviceGetTemperature");
    resolve(library, entries.power_mw, "nvmlDeviceGetPowerUsage");
    resolve(library, entries.throttle_reasons, "nvmlDeviceGetCurrentClocksEventReasons");
    if (entries.throttle_reasons == nullptr) {  // the name in drivers before 535
        resolve(library, entries.throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    }
    resolve(library, entries.bus_width, "nvmlDeviceGetMemoryBusWidth");
    resolve(library, entries.ecc_mode, "nvmlDeviceGetEccMode");
    resolve(library, entries.mig_mode, "nvmlDeviceGetMigMode");
    return entries;
}

/// Returns one value of a device; empty if the library lacks the function or the device lacks the value.
template <class Value>
std::optional<Value> ask(void* device, nvmlReturn_t (*function)(nvmlDevice_t, Value*)) {
    Value value{};
    if (device == nullptr || function == nullptr) return std::nullopt;
    if (function(static_cast<nvmlDevice_t>(device), &value) != NVML_SUCCESS) return std::nullopt;
    return value;
}

template <class Which, class Value>
std::optional<Value> ask(void* device, nvmlReturn_t (*function)(nvmlDevice_t, Which, Value*), Which which) {
    Value value{};
    if (device == nullptr || function == nullptr) return std::nullopt;
    if (function(static_cast<nvmlDevice_t>(device), which, &value) != NVML_SUCCESS) return std::nullopt;
    return value;
}

/// Returns the current mode, from an NVML function that reports the current mode and the one after the next reset.
template <class Mode>
std::optional<bool> ask_mode(void* device, nvmlReturn_t (*function)(nvmlDevice_t, Mode*, Mode*)) {
    Mode current{};
    Mode pending{};
    if (device == nullptr || function == nullptr) return std::nullopt;
    if (function(static_cast<nvmlDevice_t>(device), &current, &pending) != NVML_SUCCESS) return std::nullopt;
    return current != Mode{};
}

}  // namespace

const Nvml::Search& Nvml::search() {
    static const Search result = [] {
        Search found;
        const std::optional<SharedLibrary> library = SharedLibrary::open(nvml_library, found.problem);
        if (!library) {
            found.problem = fmt::format("{} cannot be opened ({})", nvml_library, found.problem);
            return found;
        }
        found.entries = resolve_all(*library);
        const NvmlEntries& entries = found.entries;
        if (entries.init == nullptr || entries.error_string == nullptr || entries.handle_by_uuid == nullptr) {
            found.problem = fmt::format("{} is older than what is needed (driver 525)", nvml_library);
        } else if (const nvmlReturn_t started = entries.init(); started != NVML_SUCCESS) {
            found.problem = fmt::format("{} does not start: {}", nvml_library, entries.error_string(started));
        }
        return found;
    }();
    return result;
}

const Nvml* Nvml::find() {
    static const Nvml nvml(search().entries);
    return search().problem.empty() ? &nvml : nullptr;
}

const std::string& Nvml::why_missing() {
    return search().problem;
}

std::string Nvml::driver_version() const {
    std::array<char, NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE> text{};
    if (entries_.driver_version == nullptr) return {};
    if (entries_.driver_version(text.data(), static_cast<unsigned>(text.size())) != NVML_SUCCESS) return {};
    return text.data();
}

NvmlDevice::NvmlDevice(const std::string& uuid) {
    const Nvml* nvml = Nvml::find();
    if (nvml == nullptr) return;
    nvmlDevice_t device = nullptr;
    if (nvml->entries_.handle_by_uuid(uuid.c_str(), &device) != NVML_SUCCESS) return;
    device_ = ask(device, nvml->entries_.card_of_mig_slice).value_or(device);
}

Circumstances NvmlDevice::read() const {
    Circumstances state;
    if (device_ == nullptr) return state;
    const NvmlEntries& nvml = Nvml::find()->entries_;
    state.sm_mhz = ask(device_, nvml.clock, NVML_CLOCK_SM);
    state.memory_mhz = ask(device_, nvml.clock, NVML_CLOCK_MEM);
    state.temperature_c = ask(device_, nvml.temperature, NVML_TEMPERATURE_GPU);
    if (const auto milliwatts = ask(device_, nvml.power_mw)) state.power_w = *milliwatts / 1000.0;
    state.throttle_reasons = ask(device_, nvml.throttle_reasons);
    return state;
}

std::optional<std::uint32_t> NvmlDevice::nominal_sm_mhz() const {
    if (device_ == nullptr) return std::nullopt;
    return ask(device_, Nvml::find()->entries_.max_clock, NVML_CLOCK_SM);
}

std::optional<std::uint32_t> NvmlDevice::max_memory_mhz() const {
    if (device_ == nullptr) return std::nullopt;
    return ask(device_, Nvml::find()->entries_.max_clock, NVML_CLOCK_MEM);
}

std::optional<std::uint32_t> NvmlDevice::bus_width_bits() const {
    if (device_ == nullptr) return std::nullopt;
    return ask(device_, Nvml::find()->entries_.bus_width);
}

std::optional<bool> NvmlDevice::ecc_enabled() const {
    if (device_ == nullptr) return std::nullopt;
    return ask_mode(device_, Nvml::find()->entries_.ecc_mode);
}

std::optional<bool> NvmlDevice::mig_enabled() const {
    if (device_ == nullptr) return std::nullopt;
    return ask_mode(device_, Nvml::find()->entries_.mig_mode);
}

}  // namespace redtune::gpu
