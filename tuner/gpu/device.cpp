#include "tuner/gpu/device.h"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "redtune/error.h"
#include "tuner/gpu/driver.h"
#include "tuner/gpu/nvml.h"

namespace redtune::gpu {

namespace {

int attribute(CUdevice device, CUdevice_attribute which) {
    int value = 0;
    check(Driver::get().cuDeviceGetAttribute(&value, which, device), "ask for a device's attribute");
    return value;
}

std::uint32_t unsigned_attribute(CUdevice device, CUdevice_attribute which) {
    return static_cast<std::uint32_t>(attribute(device, which));
}

std::string uuid_text(const CUuuid& uuid, const char* prefix) {
    std::string text = prefix;
    for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

std::string name_of(CUdevice device) {
    std::array<char, 256> name{};
    check(Driver::get().cuDeviceGetName(name.data(), static_cast<int>(name.size()), device), "ask for a device's name");
    return name.data();
}

/// Returns the peak memory bandwidth in 1e9 bytes per second; 0 if unknown. Bus width and memory clock have two sources
/// each: the driver reports a memory clock of 0 on some devices, and NVML may be missing. NVML comes second, because it
/// takes long to start.
double read_peak_gb_per_s(CUdevice device, const std::string& uuid) {
    double bus_bits = attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    double mhz = attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) / 1000.0;
    if (bus_bits == 0 || mhz == 0) {
        const NvmlDevice nvml(uuid);
        if (bus_bits == 0) bus_bits = nvml.bus_width_bits().value_or(0);
        if (mhz == 0) mhz = nvml.max_memory_mhz().value_or(0);
    }
    return peak_gb_per_s(mhz, bus_bits);
}

CUdevice handle_of(int ordinal) {
    CUdevice device = 0;
    check(Driver::get().cuDeviceGet(&device, ordinal), "find a device");
    return device;
}

DeviceInfo read_info(CUdevice device) {
    const Driver& driver = Driver::get();
    DeviceInfo info;
    info.name = name_of(device);
    info.mig_profile = mig_profile(info.name);
    info.compute_major = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    info.compute_minor = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    info.sm_count = unsigned_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    std::size_t memory = 0;
    check(driver.cuDeviceTotalMem(&memory, device), "ask for a device's memory");
    info.memory_bytes = memory;
    info.l2_bytes = unsigned_attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    info.max_threads_per_sm = unsigned_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    info.max_shared_bytes_per_block = unsigned_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    CUuuid uuid{};
    check(driver.cuDeviceGetUuid_v2(&uuid, device), "ask for a device's UUID");
    info.uuid = uuid_text(uuid, info.mig_profile.empty() ? "GPU-" : "MIG-");
    info.peak_gb_per_s = read_peak_gb_per_s(device, info.uuid);
    return info;
}

Device read_device(int ordinal) {
    const CUdevice handle = handle_of(ordinal);
    Device device;
    device.ordinal = ordinal;
    device.info = read_info(handle);
    const NvmlDevice nvml(device.info.uuid);
    device.driver_version = driver_version();
    device.cuda_version = driver_cuda_version();
    device.max_sm_mhz = nvml.nominal_sm_mhz();
    device.max_memory_mhz = nvml.max_memory_mhz();
    device.ecc = nvml.is_known() ? nvml.ecc_enabled() : attribute(handle, CU_DEVICE_ATTRIBUTE_ECC_ENABLED) != 0;
    device.mig = nvml.mig_enabled();
    device.now = nvml.read();
    return device;
}

int device_count() {
    const Driver* driver = Driver::find();
    int count = 0;
    if (driver != nullptr) check(driver->cuDeviceGetCount(&count), "count the devices");
    return count;
}

/// Throws DeviceError naming the ordinals that exist, unless there is a device with this one.
void require_device(int ordinal) {
    Driver::get();
    const int count = device_count();
    if (ordinal >= 0 && ordinal < count) return;
    if (count == 0) throw DeviceError(fmt::format("there is no device {}: {}", ordinal, why_no_device()));
    throw DeviceError(fmt::format("there is no device {}: the devices here are 0 to {}; `redtune devices` lists them",
                                  ordinal, count - 1));
}

}  // namespace

std::vector<Device> list_devices() {
    std::vector<Device> devices;
    for (int ordinal = 0; ordinal < device_count(); ++ordinal) devices.push_back(read_device(ordinal));
    return devices;
}

std::string why_no_device() {
    if (Driver::find() == nullptr) return Driver::why_missing();
    if (device_count() == 0) return "the NVIDIA driver shows no device to this process";
    return {};
}

DeviceInfo info_at(int ordinal) {
    require_device(ordinal);
    return read_info(handle_of(ordinal));
}

Device device_at(int ordinal) {
    require_device(ordinal);
    return read_device(ordinal);
}

bool is_driver_installed() {
    return Driver::is_installed();
}

int driver_cuda_version() {
    return Driver::cuda_version();
}

std::string driver_version() {
    std::string version;
    std::ifstream("/sys/module/nvidia/version") >> version;
    if (!version.empty()) return version;
    const Nvml* nvml = Nvml::find();  // second, because it takes long to start
    return nvml == nullptr ? std::string() : nvml->driver_version();
}

std::string mig_profile(std::string_view device_name) {
    constexpr std::string_view mark = " MIG ";
    const std::size_t begin = device_name.find(mark);
    return begin == std::string_view::npos ? std::string() : std::string(device_name.substr(begin + mark.size()));
}

double peak_gb_per_s(double memory_mhz, double bus_width_bits) {
    constexpr double transfers_per_clock = 2;
    return memory_mhz * 1e6 * (bus_width_bits / 8) * transfers_per_clock / 1e9;
}

}  // namespace redtune::gpu
