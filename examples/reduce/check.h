#pragma once

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <redtune/redtune.hpp>
#include <string>
#include <vector>

/// Ends the program with a message if a call of the CUDA runtime failed.
inline void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

/// Ends the program with a message if a reduction was not enqueued.
inline void check(redtune::CallStatus status) {
    if (status == redtune::CallStatus::ok) return;
    std::fprintf(stderr, "%s: %s\n", std::string(redtune::to_string(status)).c_str(),
                 std::string(redtune::last_error()).c_str());
    std::exit(1);
}

/// Ends the program with a message if a result is wrong.
inline void expect(const char* what, double got, double expected) {
    std::printf("%s = %g\n", what, got);
    if (got == expected) return;
    std::fprintf(stderr, "expected %g\n", expected);
    std::exit(1);
}

/// Device memory of n elements.
template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t n) : size_(n) {
        check(cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)));
    }
    explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
        check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() { return data_; }
    /// Waits for the device and returns a copy on the host.
    std::vector<T> values() const {
        std::vector<T> values(size_);
        check(cudaDeviceSynchronize());
        check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};
