#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Controls the simulated CUDA driver, a libcuda.so.1 for tests of host code on machines without a GPU.
///
/// Device memory is host memory. A kernel runs at once, when it is launched: the first kernel of a sum of f32 writes
/// the sums to its output, every other kernel does nothing. Streams, captures and graphs keep the driver's rules, and
/// what a GPU would punish is recorded as a violation: a workspace that is not zero or that two streams use at once,
/// memory that was freed, a call that breaks a capture, a call from the destructor of a user object.
///
/// A program that links this library has it opened by `dlopen("libcuda.so.1")`. All functions are thread-safe.
namespace simulated_driver {

/// The number of calls since the last reset(), by what a user of the driver pays for.
struct Counts {
    std::uint64_t initialisations = 0;  ///< calls of cuInit()
    std::uint64_t allocations = 0;
    std::uint64_t live_bytes = 0;        ///< device memory that is allocated and not freed
    std::uint64_t synchronisations = 0;  ///< of streams, contexts and events
    std::uint64_t module_loads = 0;
    std::uint64_t launches = 0;  ///< kernels that ran; a kernel of a graph counts at each launch of the graph
    std::uint64_t memsets = 0;
    std::uint64_t workspaces_freed_in_use = 0;  ///< freed while the last kernel that had them may run
};

/// The properties of the simulated devices; by default those of an H200.
struct DeviceModel {
    std::string name = "NVIDIA H200";
    int compute_major = 9;
    int sm_count = 132;
    std::size_t memory_bytes = std::size_t{141} << 30;
    int l2_bytes = 60 << 20;
    int max_shared_bytes_per_block = 227 << 10;
    int memory_bus_bits = 6016;
    int memory_khz = 3201000;
};

/// Forgets everything and starts with one device, an H200. Handles made before are invalid.
void reset();
/// Sets what all devices are. Call it after reset().
void set_device_model(const DeviceModel& model);
/// Sets the number of devices, all alike. Call it after reset().
void set_device_count(int devices);
/// Lets the next `launches` kernel launches succeed and the one after them fail with an invalid value. The kernel that
/// fails leaves its workspace with a word that is not zero, as an aborted call does.
void fail_after(std::uint64_t launches);

Counts counts();
/// Returns what was done wrong since the last reset(), in order.
std::vector<std::string> violations();
/// Returns whether the calling thread is inside a function of the driver. Tests that count allocations leave out those
/// of the simulation.
bool is_inside() noexcept;

}  // namespace simulated_driver

/// Returns the last of violations(), or an empty text, for tests that are not written in C++. It stays valid until the
/// thread's next call.
extern "C" const char* simulated_driver_last_violation();
/// Returns Counts::workspaces_freed_in_use, for the tests in Python.
extern "C" std::uint64_t simulated_driver_workspaces_freed_in_use();
