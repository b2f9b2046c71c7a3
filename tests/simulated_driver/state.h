#pragma once

#include <cuda.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulated_driver/simulated_driver.h"

namespace simulated_driver {

/// A count of references to a user's object. The destructor runs when the last reference is released.
struct UserObject {
    void* object = nullptr;
    CUhostFn destructor = nullptr;
    unsigned references = 1;
};

/// A kernel or a memset, as a stream runs it and a graph records it.
struct Work {
    bool is_memset = false;
    std::string kernel;
    const void* module = nullptr;  ///< of the kernel
    unsigned grid = 0;
    unsigned block = 0;
    std::vector<std::uint64_t> arguments;  ///< the words of the kernel's only parameter
    CUdeviceptr address = 0;               ///< of a memset
    std::size_t bytes = 0;
    unsigned char value = 0;
};

/// Returns whether the kernel loads the number of elements from device memory (kernels_src/device_count.cuh).
inline bool is_counted(const Work& work) {
    return work.kernel.find("CountedOnDevice") != std::string::npos;
}

struct Graph {
    std::vector<Work> work;
    std::map<UserObject*, unsigned> retained;
    bool is_invalid = false;  ///< a call broke the capture
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
};

struct Stream {
    std::uint64_t id = 0;
    std::size_t context = 0;
    std::unique_ptr<Graph> captured;  ///< not null during a capture
    std::uint64_t submitted = 0;      ///< number of the last work of this stream
    std::uint64_t completed = 0;      ///< number of the last work that the host has waited for
};

/// The last use of a workspace.
struct Use {
    const void* owner = nullptr;  ///< the stream, or the executable graph, whose launches do not overlap
    const Stream* stream = nullptr;
    std::uint64_t number = 0;
};

struct Function {
    std::string name;
    const void* module = nullptr;
};

struct Module {
    std::map<std::string, std::unique_ptr<Function>> functions;
};

/// Memory of the simulated device.
struct Allocation {
    std::unique_ptr<std::uint64_t[]> words;
    std::size_t bytes = 0;
};

/// Everything that the simulated driver knows. `mutex` guards all of it.
struct State {
    std::recursive_mutex mutex;
    int device_count = 1;
    DeviceModel model;
    Counts counts;
    std::vector<std::string> violations;
    std::optional<std::uint64_t> launches_before_failure;
    std::map<CUdeviceptr, Allocation> memory;  ///< by address
    std::map<const void*, std::unique_ptr<Stream>> streams;
    std::vector<std::unique_ptr<Stream>> destroyed_streams;  ///< their work may still be running
    std::map<const void*, std::unique_ptr<Graph>> graphs;
    std::map<const void*, std::unique_ptr<Graph>> executables;
    std::map<const void*, std::unique_ptr<Module>> modules;
    std::map<std::uint64_t, Use> workspaces;  ///< by the address of the header
    std::uint64_t next_stream_id = 1;
};

State& state();

void violation(const std::string& text);

/// Marks the calling thread as inside the driver, with the state locked. A call from a user object's destructor is a
/// violation.
class Call {
  public:
    Call();
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

  private:
    std::unique_lock<std::recursive_mutex> lock_;
};

/// Returns the stream of a handle in the current context, also of the legacy and the per-thread default stream; null if
/// there is none.
Stream* find_stream(CUstream handle);
/// Returns the number of the calling thread's current device; -1 without a context.
int& current_device();

/// Breaks every capture that a call such as cuMemAlloc breaks, and records each as a violation.
void break_captures(const char* call);

/// Runs work in a stream, on behalf of `owner`. Returns what the launch returns.
CUresult run(const Work& work, Stream& stream, const void* owner);

/// Releases references. Destructors run after the caller has unlocked the state, at the end of the outermost call.
void release(const std::map<UserObject*, unsigned>& retained);

}  // namespace simulated_driver
