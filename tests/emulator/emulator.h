// Runs CUDA kernels on the CPU, one fiber a thread, and reports what is wrong with how they synchronise and access
// memory. Device code is compiled by the host compiler against stand_in/; see CMakeLists.txt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emulator {

/// read_only: kernels must not write. read_write: contents are there from the start. uninitialised: a read of bytes
/// that nothing wrote is a defect.
enum class Access { read_only, read_write, uninitialised };

struct Region;

/// Device memory: buffers with exact bounds, between guard zones. Freed with the object.
class Memory {
  public:
    Memory();
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// `count` elements that start `offset_bytes` behind a 256-byte boundary. The contents are zero for a host that
    /// reads them, whatever `access` says.
    template <class T>
    T* allocate(std::size_t count, Access access, std::size_t offset_bytes = 0, std::string name = "") {
        return static_cast<T*>(allocate_bytes(count * sizeof(T), access, offset_bytes, std::move(name)));
    }

    /// As cudaMemset: the bytes count as initialised from now on.
    void fill(void* from, std::size_t bytes, int value);
    /// What the host wrote itself.
    void mark_initialised(void* from, std::size_t bytes);
    /// As if nothing had ever written the bytes; of a buffer that was allocated as uninitialised.
    void mark_uninitialised(void* from, std::size_t bytes);
    /// Has every byte been written? For a buffer that was allocated as uninitialised.
    bool initialised(const void* from, std::size_t bytes) const;

    const std::vector<std::unique_ptr<Region>>& regions() const { return regions_; }

  private:
    void* allocate_bytes(std::size_t bytes, Access access, std::size_t offset_bytes, std::string name);
    Region& region_of(const void* from, std::size_t bytes) const;

    std::vector<std::unique_ptr<Region>> regions_;
};

/// One launch. all_resident: every block runs from the start, as a kernel needs whose blocks wait for each other.
/// Otherwise blocks start when others end, a few at a time.
struct Launch {
    unsigned grid = 1;
    unsigned block = 32;
    unsigned shared_bytes = 0;  // dynamic shared memory
    unsigned cluster = 1;       // blocks a cluster; divides grid
    bool all_resident = false;
};

/// The seed decides everything that hardware leaves open: which thread runs next, how many blocks are in flight, in
/// which order they start, when a bulk copy arrives. Equal seeds give equal runs.
struct Options {
    std::uint64_t seed = 1;
    int most_defects = 10;
    unsigned blocks_in_flight = 0;  // 0: by seed, 1 to 8 clusters, of at most 16 blocks; always a whole cluster
};

/// Every defect once for each place in the source; empty: clean.
struct Report {
    std::vector<std::string> defects;
};

/// Calls `thread_body` once for every thread of the launch; it calls the kernel: [&] { kernel(arguments); }. What it
/// does before and behind that call is host code and not checked. One launch at a time, from one OS thread.
/// Throws std::invalid_argument for a launch that CUDA would refuse.
Report run(const std::function<void()>& thread_body, const Launch& launch, const Memory& memory,
           const Options& options = {});

}  // namespace emulator
