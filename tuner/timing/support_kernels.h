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

/// timed: as a program would have them. exact: so that the order of combination does not show. Which values these are
/// depends on the operator (see Values in kernels_src/tuner_kernels.cuh).
enum class InputValues : std::uint8_t { timed, exact };

/// The kernels that SupportKernels compiles, in its own order.
std::vector<jit::KernelName> support_kernel_names(const Problem& problem);

/// References that are wanted: of `inputs` inputs, `stride` elements apart, each of n elements.
struct ReferenceRequest {
    launch::InputArrays arrays;
    std::uint64_t stride = 0;
    std::uint64_t inputs = 1;
    std::uint64_t n = 0;
};

/// Results to be judged: `sets` sets, `stride` results apart, each like one set of references, in turn.
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
/// queue on it and return.
class SupportKernels {
  public:
    /// @throws CompileError, DeviceError
    SupportKernels(jit::Compiler& compiler, const Problem& problem, std::uint32_t sm_count);

    /// Fills n elements of the problem's input type. The value of an element depends on its index and the seed only.
    void fill(CUdeviceptr to, std::uint64_t n, InputValues values, std::uint64_t seed, CUstream stream) const;

    /// What the operator makes of inputs, one result of the reference problem's output type for each row of each input.
    /// Waits for the stream.
    gpu::DeviceBuffer reference(const ReferenceRequest& request, CUstream stream) const;

    /// The same without waiting, into `results`. Both addresses have the room that reference_room() says.
    void enqueue_reference(const ReferenceRequest& request, CUdeviceptr results, CUdeviceptr partials,
                           CUstream stream) const;
    ReferenceRoom reference_room(const ReferenceRequest& request) const;

    /// Waits for the stream. @return empty if all is right, else the first that is wrong: which, what was expected and
    /// what came.
    std::optional<std::string> judge(const JudgeRequest& request, CUstream stream) const;

    /// The same in two steps, so that many requests need one wait: counts the wrong results in a Mismatch at an
    /// address, which must be zero before; and says what a Mismatch means, once the stream is idle.
    void enqueue_judge(const JudgeRequest& request, CUdeviceptr mismatch, CUstream stream) const;
    std::optional<std::string> verdict(const JudgeRequest& request, const Mismatch& mismatch) const;

    /// Reads the whole buffer.
    void read(const gpu::DeviceBuffer& buffer, CUstream stream) const;
    /// Writes cycles and nanoseconds, two 64-bit words, after about this long.
    void probe_clock(std::uint64_t nanoseconds, CUdeviceptr to, CUstream stream) const;

    /// How many cycles a load takes of each of `count` words of 8 bytes, `stride_bytes` apart, as a grid's first block
    /// sees it. The words must be 0. Waits for the stream.
    std::vector<std::uint32_t> latencies(CUdeviceptr words, std::uint64_t stride_bytes, std::uint32_t count,
                                         CUstream stream) const;

    /// A kernel that does nothing, with a candidate's arguments; for plans whose launches overlap, one that lets them.
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
