#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/gpu/buffer.h"
#include "tuner/gpu/module.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/enqueue.h"
#include "tuner/timing/tolerance.h"

namespace redtune::timing {

/// Which values an input is filled with. timed: such as a program would have. exact: values for which every order of
/// combination gives the same bits. Both depend on the operator (see Values in kernels_src/tuner_kernels.cuh).
enum class InputValues : std::uint8_t { timed, exact };

/// Returns the kernels that SupportKernels compiles, in the order of its members.
std::vector<jit::KernelName> support_kernel_names(const Problem& problem);

/// Asks for the reference results of `inputs` inputs of n elements each, which lie `stride` elements apart.
struct ReferenceRequest {
    launch::InputArrays arrays;
    std::uint64_t stride = 0;
    std::uint64_t inputs = 1;
    std::uint64_t n = 0;
};

/// Asks whether `sets` sets of results, which lie `stride` results apart, equal the references. Set i is compared with
/// set i modulo reference_sets of the references.
struct JudgeRequest {
    CUdeviceptr results = 0;
    std::uint64_t stride = 0;
    std::uint64_t sets = 1;
    CUdeviceptr references = 0;
    std::uint64_t reference_sets = 1;
    std::uint64_t count = 1;  ///< results in a set
    Tolerance tolerance;
};

/// Device memory that the computation of references writes to, in bytes.
struct ReferenceRoom {
    std::uint64_t results = 0;
    std::uint64_t partials = 0;
};

/// How many results of a JudgeRequest are wrong. Mismatch of kernels_src/tuner_kernels.cuh, member by member.
struct Mismatch {
    std::uint64_t wrong = 0;
    std::uint64_t first = 0;  ///< complement of the lowest index of a wrong result
};

/// The tuner's own kernels (kernels_src/tuner_kernels.cuh) on one device, for one problem. Functions that take a stream
/// enqueue their work on it and return at once, unless they say that they wait.
class SupportKernels {
  public:
    /// @throws CompileError, DeviceError
    SupportKernels(jit::Compiler& compiler, const Problem& problem, std::uint32_t sm_count);

    /// Fills n elements of the problem's input type. The value of an element depends on its index and the seed only.
    void fill(CUdeviceptr to, std::uint64_t n, InputValues values, std::uint64_t seed, CUstream stream) const;

    /// Returns the reference results, of the reference problem's output type: one for each row of each input. Waits for
    /// the stream.
    gpu::DeviceBuffer reference(const ReferenceRequest& request, CUstream stream) const;

    /// The same without waiting, into `results`. Both addresses have the room that reference_room() says.
    void enqueue_reference(const ReferenceRequest& request, CUdeviceptr results, CUdeviceptr partials,
                           CUstream stream) const;
    ReferenceRoom reference_room(const ReferenceRequest& request) const;

    /// Compares results with references. Waits for the stream.
    /// @return empty if all are right; else the first wrong one, with the expected and the actual value
    std::optional<std::string> judge(const JudgeRequest& request, CUstream stream) const;

    /// The same in two steps, so that many requests need one wait: counts the wrong results in a Mismatch at an
    /// address, which must be zero before; and says what a Mismatch means, once the stream is idle.
    void enqueue_judge(const JudgeRequest& request, CUdeviceptr mismatch, CUstream stream) const;
    std::optional<std::string> verdict(const JudgeRequest& request, const Mismatch& mismatch) const;

    /// Reads the whole buffer.
    void read(const gpu::DeviceBuffer& buffer, CUstream stream) const;
    /// Counts SM clock cycles for about this long, then writes cycles and nanoseconds to `to` as two 64-bit words.
    void probe_clock(std::uint64_t nanoseconds, CUdeviceptr to, CUstream stream) const;

    /// Returns the cycles that a load takes in a grid's first block, for each of `count` words of 8 bytes that lie
    /// `stride_bytes` apart. The words must be 0. Waits for the stream.
    std::vector<std::uint32_t> latencies(CUdeviceptr words, std::uint64_t stride_bytes, std::uint32_t count,
                                         CUstream stream) const;

    /// Returns a kernel that does nothing and takes a candidate's arguments. The PDL variant waits for the previous
    /// launch and lets the next one begin, as a candidate with PDL does.
    CUfunction empty(bool pdl = false) const { return pdl ? empty_pdl_ : empty_; }

  private:
    CUfunction function(const jit::CompiledKernel& kernel);
    std::uint64_t reference_parts(const ReferenceRequest& request) const;

    Problem problem_;
    Problem reference_problem_;
    std::uint32_t sm_count_;
    std::map<const std::string*, std::unique_ptr<gpu::Module>> modules_;
    gpu::DeviceBuffer sink_;
    mutable gpu::DeviceBuffer mismatch_;
    CUfunction fill_timed_ = nullptr;
    CUfunction fill_exact_ = nullptr;
    CUfunction reference_partials_ = nullptr;
    CUfunction reference_results_ = nullptr;
    CUfunction compare_ = nullptr;
    CUfunction read_ = nullptr;
    CUfunction probe_clock_ = nullptr;
    CUfunction probe_latency_ = nullptr;
    CUfunction empty_ = nullptr;
    CUfunction empty_pdl_ = nullptr;
};

}  // namespace redtune::timing
