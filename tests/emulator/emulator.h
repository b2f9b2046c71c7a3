// Runs CUDA kernels on the CPU, one fiber for each thread, and reports defects: errors in synchronisation and memory
// access. The host compiler compiles device code with the headers of stand_in/ (CMakeLists.txt).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emulator {

/// The access that kernels have to a buffer. read_only: a write is a defect. read_write: all bytes count as written.
/// uninitialised: a read of a byte that was never written is a defect.
enum class Access { read_only, read_write, uninitialised };

struct Region;

/// Device memory: buffers between guard zones. The destructor frees all buffers.
class Memory {
  public:
    Memory();
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Returns a buffer of `count` elements that begins `offset_bytes` after a 256-byte boundary. The host reads zeros
    /// from it, whatever `access` is.
    template <class T>
    T* allocate(std::size_t count, Access access, std::size_t offset_bytes = 0, std::string name = "") {
        return static_cast<T*>(allocate_bytes(count * sizeof(T), access, offset_bytes, std::move(name)));
    }

    /// Sets the bytes as cudaMemset does; they count as written afterwards.
    void fill(void* from, std::size_t bytes, int value);
    /// Marks bytes as written; the host calls it after it has written them.
    void mark_initialised(void* from, std::size_t bytes);
    /// Marks bytes of an uninitialised buffer as never written.
    void mark_uninitialised(void* from, std::size_t bytes);
    /// Returns whether all the bytes of an uninitialised buffer have been written.
    bool initialised(const void* from, std::size_t bytes) const;

    const std::vector<std::unique_ptr<Region>>& regions() const { return regions_; }

  private:
    void* allocate_bytes(std::size_t bytes, Access access, std::size_t offset_bytes, std::string name);
    Region& region_of(const void* from, std::size_t bytes) const;

    std::vector<std::unique_ptr<Region>> regions_;
};

/// The shape of a launch. all_resident: all blocks run from the start. Kernels whose blocks wait for each other need
/// this. If it is false, few blocks are in flight, and a block starts when another one ends.
struct Launch {
    unsigned grid = 1;
    unsigned block = 32;
    unsigned shared_bytes = 0;  // dynamic shared memory
    unsigned cluster = 1;       // blocks of a cluster; divides `grid`
    bool all_resident = false;
};

/// The seed decides everything that hardware leaves open: which thread runs next, how many blocks are in flight, in
/// which order they start, when a bulk copy arrives. Equal seeds give equal runs.
struct Options {
    std::uint64_t seed = 1;
    int most_defects = 10;
    unsigned blocks_in_flight = 0;  // 0: the seed picks 1 to 8 clusters with at most 16 blocks; at least one cluster
};

/// The defects of a launch, each reported once per source line.
struct Report {
    std::vector<std::string> defects;
};

/// Runs a launch and returns its defects. Calls `thread_body`, for example [&] { kernel(arguments); }, once for every
/// thread of the launch. Code in it outside of the kernel is host code and is not checked. Only one launch may run at a
/// time. Throws std::invalid_argument for a launch that CUDA would refuse.
Report run(const std::function<void()>& thread_body, const Launch& launch, const Memory& memory,
           const Options& options = {});

}  // namespace emulator
