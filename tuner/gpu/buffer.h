#pragma once

#include <cstddef>
#include <cstdint>

#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// Device memory, allocated in the context that is current when the buffer is made. A buffer of zero bytes has address
/// 0.
///
/// Every call needs that context to be current and throws DeviceError when it fails or would go past the buffer's end.
/// Calls with a stream return at once, and the host memory must stay valid until the stream has done the work. Calls
/// without a stream return when the work is done, but do not wait for other streams: synchronise a stream that still
/// writes the buffer.
class DeviceBuffer {
  public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t bytes);
    ~DeviceBuffer();
    DeviceBuffer(DeviceBuffer&& other) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

    CUdeviceptr address() const noexcept { return address_; }
    /// Returns the size in bytes.
    std::size_t size() const noexcept { return size_; }

    void fill(std::uint8_t byte);
    void fill(std::uint8_t byte, CUstream stream);
    void fill(std::uint8_t byte, std::size_t bytes, std::size_t offset, CUstream stream);

    /// `offset` is in bytes from the beginning of the buffer.
    void copy_from_host(const void* host, std::size_t bytes, std::size_t offset = 0);
    void copy_from_host(const void* host, std::size_t bytes, std::size_t offset, CUstream stream);
    void copy_to_host(void* host, std::size_t bytes, std::size_t offset = 0) const;
    void copy_to_host(void* host, std::size_t bytes, std::size_t offset, CUstream stream) const;

  private:
    void check_range(std::size_t bytes, std::size_t offset) const;

    CUdeviceptr address_ = 0;
    std::size_t size_ = 0;
};

/// Copies from a device address to the host and returns when the copy is done. The range is not checked.
void copy_to_host(void* host, CUdeviceptr from, std::size_t bytes);
/// Enqueues a copy between two device addresses. The range is not checked.
void copy_on_device(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream);

struct MemoryInfo {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
};

/// Returns the free and the total memory of the current context's device. @throws DeviceError
MemoryInfo memory_info();

}  // namespace redtune::gpu
