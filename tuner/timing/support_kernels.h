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
#include "tuner/timing/data_kind.h"
#include "tuner/timing/tolerance.h"

namespace redtune::timing {

/// The values that an input is filled with. `timed` values are like those of a program. `exact` values give the same
/// bits in every order of combination. Both depend on the operator (see Values in kernels_src/input_values.cuh).
enum class InputValues : std::uint8_t { timed, exact };

/// Returns the kernels that SupportKernels compiles, in the order of its members.
std::vector<jit::KernelName> support_kernel_names(const Problem& problem);

/// The layout of the inputs in a buffer, in elements. It has the layout of InputLayout in kernels_src/data_kinds.cuh.
struct InputLayout {
    std::uint64_t stride = 1;  ///< distance from one input to the next
    std::uint64_t offset = 0;  ///< elements before the first input
    std::uint64_t count = 0;   ///< elements of a row, from which one result is made; of all columns together
    std::uint64_t second = 0;  ///< distance from an input's first array to its second; 0: it has one array

    friend bool operator==(const InputLayout&, const InputLayout&) = default;
};

/// A request for the reference results of `inputs` inputs of n elements each, which lie `stride` elements apart.
struct ReferenceRequest {
    launch::InputArrays arrays;
    std::uint64_t stride = 0;
    std::uint64_t inputs = 1;
    std::uint64_t n = 0;
};

/// The parameter of the reference kernels. It has the layout of ReferenceJob in kernels_src/reference.cuh.
struct ReferenceJob {
    CUdeviceptr input;
    CUdeviceptr second;
    std::uint64_t stride;
    std::uint64_t inputs;
    std::uint64_t results;
    std::uint64_t reduced;
    std::uint64_t inner;
    std::uint64_t parts;
    CUdeviceptr partials;
    CUdeviceptr outputs;
};

/// A request to compare `sets` sets of results, which lie `stride` results apart, with the references. Set i is
/// compared with set i modulo reference_sets of the references.
struct JudgeRequest {
    CUdeviceptr results = 0;
    std::uint64_t stride = 0;
    std::uint64_t sets = 1;
    CUdeviceptr references = 0;
    std::uint64_t reference_sets = 1;
    std::uint64_t count = 1;  ///< results in a set
    Tolerance tolerance;
    CUdeviceptr terms = 0;  ///< sums of the terms of each reference; may be 0 if the tolerance does not use them
};

/// Device memory that the computation of references writes to, in bytes.
struct ReferenceBytes {
    std::uint64_t results = 0;
    std::uint64_t partials = 0;
};

/// The result of comparing the results of a JudgeRequest on the device. It has the layout of Mismatch in
/// kernels_src/compare_results.cuh.
struct Mismatch {
    std::uint64_t wrong = 0;  ///< number of wrong results
    std::uint64_t first = 0;  ///< bitwise complement of the lowest index of a wrong result
};

/// The tuner's own kernels (kernels_src/tuner_kernels.cuh) on one device, for one problem. Functions that take a stream
/// enqueue their work on it and return at once, unless they say that they wait.
class SupportKernels {
  public:
    /// Compiles and loads the kernels.
    /// @throws CompileError, DeviceError
    SupportKernels(jit::Compiler& compiler, const Problem& problem, std::uint32_t sm_count);

    /// Fills n elements of the problem's input type. The value of an element depends on its index and the seed only.
    void fill(CUdeviceptr to, std::uint64_t n, InputValues values, std::uint64_t seed, CUstream stream) const;

    /// Fills n elements with data of a kind that is not uniform. The value of an element depends only on the kind, the
    /// seed, and the position of the element in the layout.
    void fill(CUdeviceptr to, std::uint64_t n, const InputLayout& layout, DataKind kind, std::uint64_t seed,
              CUstream stream) const;
    /// Fills n elements with `count` given values, which every input repeats from its first element on.
    void fill(CUdeviceptr to, std::uint64_t n, const InputLayout& layout, CUdeviceptr values, std::uint64_t count,
              CUstream stream) const;

    /// Returns the sums of the terms of each reference result: two doubles (TermSums in kernels_src/reference.cuh).
    /// The problem must be a sum of floats (rounding_of() is signed_terms or positive_terms). Waits for the stream.
    gpu::DeviceBuffer term_sums(const ReferenceRequest& request, CUstream stream) const;

    /// Returns the reference results, of the reference problem's output type: one for each row or column of each input.
    /// Waits for the stream.
    gpu::DeviceBuffer reference(const ReferenceRequest& request, CUstream stream) const;

    /// Enqueues the kernels that write the reference results to `results`. The memory at both addresses must be as
    /// large as reference_bytes() says.
    void enqueue_reference(const ReferenceRequest& request, CUdeviceptr results, CUdeviceptr partials,
                           CUstream stream) const;
    /// Returns the device memory that enqueue_reference() needs.
    ReferenceBytes reference_bytes(const ReferenceRequest& request) const;

    /// Compares results with references. Waits for the stream.
    /// @return empty if all are right; else the first wrong one, with the expected and the actual value
    std::optional<std::string> judge(const JudgeRequest& request, CUstream stream) const;

    /// Enqueues the comparison of results with references. It counts the wrong results in the Mismatch at the address
    /// `mismatch`, which must be zero before. Together with verdict(), it does what judge() does, so that many requests
    /// need only one wait.
    void enqueue_judge(const JudgeRequest& request, CUdeviceptr mismatch, CUstream stream) const;
    /// Returns what judge() would return, from the Mismatch of enqueue_judge(). The stream must be idle.
    std::optional<std::string> verdict(const JudgeRequest& request, const Mismatch& mismatch) const;

    /// Enqueues a kernel that reads the whole buffer.
    void read(const gpu::DeviceBuffer& buffer, CUstream stream) const;
    /// Enqueues a kernel that counts SM clock cycles for about this many nanoseconds, and then writes cycles and
    /// nanoseconds to `to` as two 64-bit words.
    void probe_clock(std::uint64_t nanoseconds, CUdeviceptr to, CUstream stream) const;

    /// Returns the cycles that a load takes in a grid's first block, for each of `count` words of 8 bytes that lie
    /// `stride_bytes` apart. The words must be 0. Waits for the stream.
    std::vector<std::uint32_t> latencies(CUdeviceptr words, std::uint64_t stride_bytes, std::uint32_t count,
                                         CUstream stream) const;

    /// Returns a kernel that does nothing and takes a candidate's arguments. The PDL variant waits for the previous
    /// launch and lets the next one begin, as a candidate with PDL does.
    CUfunction empty_kernel(bool pdl = false) const { return pdl ? empty_pdl_ : empty_; }

  private:
    CUfunction function(const jit::CompiledKernel& kernel);
    std::uint64_t threads_per_reference_result(const ReferenceRequest& request) const;
    ReferenceJob reference_job(const ReferenceRequest& request, CUdeviceptr results, CUdeviceptr partials) const;

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
    CUfunction fill_data_ = nullptr;
    CUfunction fill_values_ = nullptr;
    CUfunction sum_terms_ = nullptr;  ///< null unless the problem is a sum of floats
};

}  // namespace redtune::timing
