#include "tuner/gpu/buffer.h"

#include <fmt/format.h>

#include <utility>

#include "redtune/error.h"

namespace redtune::gpu {

namespace {

constexpr double mib = 1 << 20;

// Out of memory is the one failure that the user can act on, so the message says how much memory is free.
void throw_out_of_memory(std::size_t bytes) {
    const MemoryInfo memory = memory_info();
    throw OutOfDeviceMemory(
        fmt::format("cannot allocate {:.1f} MiB of device memory: CUDA_ERROR_OUT_OF_MEMORY, {:.1f} of {:.1f} MiB are "
                    "free; choose smaller sizes, or end the programs that hold the rest (nvidia-smi lists them)",
                    static_cast<double>(bytes) / mib, static_cast<double>(memory.free_bytes) / mib,
                    static_cast<double>(memory.total_bytes) / mib));
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes) : size_(bytes) {
    if (bytes == 0) return;
    const CUresult result = Driver::get().cuMemAlloc(&address_, bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) throw_out_of_memory(bytes);
    check(result, "allocate device memory");
}

DeviceBuffer::~DeviceBuffer() {
    if (address_ != 0) Driver::get().cuMemFree(address_);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : address_(std::exchange(other.address_, 0)), size_(std::exchange(other.size_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(size_, other.size_);
    return *this;
}

void DeviceBuffer::check_range(std::size_t bytes, std::size_t offset) const {
    if (offset <= size_ && bytes <= size_ - offset) return;
    throw DeviceError(
        fmt::format("cannot reach {} bytes at offset {}: the device buffer has {} bytes", bytes, offset, size_));
}

void DeviceBuffer::fill(std::uint8_t byte) {
    if (size_ == 0) return;
    // A memset on the default stream returns before the device has written the memory.
    fill(byte, nullptr);
    check(Driver::get().cuStreamSynchronize(nullptr), "fill device memory");
}

void DeviceBuffer::fill(std::uint8_t byte, CUstream stream) {
    fill(byte, size_, 0, stream);
}

void DeviceBuffer::fill(std::uint8_t byte, std::size_t bytes, std::size_t offset, CUstream stream) {
    check_range(bytes, offset);
    if (bytes == 0) return;
    check(Driver::get().cuMemsetD8Async(address_ + offset, byte, bytes, stream), "fill device memory");
}

void DeviceBuffer::copy_from_host(const void* host, std::size_t bytes, std::size_t offset) {
    copy_from_host(host, bytes, offset, nullptr);
    check(Driver::get().cuStreamSynchronize(nullptr), "copy to the device");
}

void DeviceBuffer::copy_from_host(const void* host, std::size_t bytes, std::size_t offset, CUstream stream) {
    check_range(bytes, offset);
    if (bytes == 0) return;
    check(Driver::get().cuMemcpyHtoDAsync(address_ + offset, host, bytes, stream), "copy to the device");
}

void DeviceBuffer::copy_to_host(void* host, std::size_t bytes, std::size_t offset) const {
    copy_to_host(host, bytes, offset, nullptr);
    check(Driver::get().cuStreamSynchronize(nullptr), "copy from the device");
}

void DeviceBuffer::copy_to_host(void* host, std::size_t bytes, std::size_t offset, CUstream stream) const {
    check_range(bytes, offset);
    if (bytes == 0) return;
    check(Driver::get().cuMemcpyDtoHAsync(host, address_ + offset, bytes, stream), "copy from the device");
}

void copy_to_host(void* host, CUdeviceptr from, std::size_t bytes) {
    check(Driver::get().cuMemcpyDtoHAsync(host, from, bytes, nullptr), "copy from the device");
    check(Driver::get().cuStreamSynchronize(nullptr), "copy from the device");
}

void copy_on_device(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    if (bytes == 0) return;
    check(Driver::get().cuMemcpyDtoDAsync(to, from, bytes, stream), "copy on the device");
}

MemoryInfo memory_info() {
    MemoryInfo info;
    check(Driver::get().cuMemGetInfo(&info.free_bytes, &info.total_bytes), "ask for the device's free memory");
    return info;
}

}  // namespace redtune::gpu
