#pragma once

#include <cstddef>
#include <cstdint>

#include "tuner/gpu/driver.h"

namespace redtune::gpu {

/// Device memory of the context that is current where it is made. Zero bytes is a buffer with no address.
///
/// Every call needs that context to be current and throws DeviceError when it fails, also for a copy that would run
/// past the buffer's end. Calls with a stream only queue: the host memory must live until they are done, and must be
/// pinned for them to overlap with anything. Calls without one are done on return, but wait for no stream: synchronise
/// one that still writes the buffer.
class DeviceBuffer {
  public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t bytes);
    ~DeviceBuffer();
    DeviceBuffer(DeviceBuffer&& other) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

    CUdeviceptr address() const noexcept { return address_; }
    /// In bytes.
    std::size_t size() const noexcept { return size_; }

    void fill(std::uint8_t byte);
    void fill(std::uint8_t byte, CUstream stream);
    void fill(std::uint8_t byte, std::size_t bytes, std::size_t offset, CUstream stream);

    /// `offset` is where in the buffer, in bytes.
    void copy_from_host(const void* host, std::size_t bytes, std::size_t offset = 0);
    void copy_from_host(const void* host, std::size_t bytes, std::size_t offset, CUstream stream);
    void copy_to_host(void* host, std::size_t bytes, std::size_t offset = 0) const;
    void copy_to_host(void* host, std::size_t bytes, std::size_t offset, CUstream stream) const;

  private:
    void check_range(std::size_t bytes, std::size_t offset) const;

    CUdeviceptr address_ = 0;
    std::size_t size_ = 0;
};

/// The same for addresses without their buffer; the range is the caller's care.
void copy_to_host(void* host, CUdeviceptr from, std::size_t bytes);
void copy_on_device(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream);

/// Host memory that the device reads and writes directly. Zero bytes is a buffer with no address.
class PinnedBuffer {
  public:
    PinnedBuffer() = default;
    /// @throws DeviceError; a context must be current.
    explicit PinnedBuffer(std::size_t bytes);
    ~PinnedBuffer();
    PinnedBuffer(PinnedBuffer&& other) noexcept;
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;

    void* data() noexcept { return data_; }
    const void* data() const noexcept { return data_; }
    /// In bytes.
    std::size_t size() const noexcept { return size_; }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

struct MemoryInfo {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
};

/// Of the current context's device. @throws DeviceError
MemoryInfo memory_info();

}  // namespace redtune::gpu
