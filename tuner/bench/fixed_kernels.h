#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/gpu/buffer.h"
#include "tuner/gpu/module.h"
#include "tuner/jit/compiler.h"

namespace redtune::bench {

/// What the values of an input are: see Fill in kernels_src/tuner_kernels.cuh.
enum class InputValues : std::uint8_t { random, exact };

/// The kernels that FixedKernels compiles, in its own order.
std::vector<jit::KernelName> fixed_kernel_names(const Problem& problem);

/// The tuner's own kernels (kernels_src/tuner_kernels.cuh) on one device, for one problem. Every function queues on
/// the stream given and returns.
class FixedKernels {
  public:
    /// @throws CompileError, DeviceError
    FixedKernels(jit::Compiler& compiler, const Problem& problem, std::uint32_t sm_count);

    /// Fills n elements of the problem's input type.
    void fill(CUdeviceptr to, std::uint64_t n, InputValues values, std::uint64_t seed, CUstream stream) const;

    /// Partial sums of `inputs` inputs of n elements, `stride` elements apart: reference_blocks() words of 8 bytes
    /// (double for floats, 64-bit integers for integers) for each.
    void reference(CUdeviceptr first, std::uint64_t stride, std::uint64_t n, std::uint32_t inputs, CUdeviceptr partials,
                   CUstream stream) const;
    std::uint32_t reference_blocks() const { return sm_count_ * 2; }

    /// Reads the whole buffer.
    void read(const gpu::DeviceBuffer& buffer, CUstream stream) const;
    /// Writes cycles and nanoseconds, two 64-bit words, after about this long.
    void probe_clock(std::uint64_t nanoseconds, CUdeviceptr to, CUstream stream) const;

    /// A kernel that does nothing, with a candidate's arguments.
    CUfunction empty() const { return empty_; }

  private:
    CUfunction function(const jit::CompiledKernel& kernel);

    std::uint32_t sm_count_;
    std::map<const std::string*, std::unique_ptr<gpu::Module>> modules_;
    gpu::DeviceBuffer sink_;
    CUfunction fill_random_ = nullptr;
    CUfunction fill_exact_ = nullptr;
    CUfunction reference_ = nullptr;
    CUfunction read_ = nullptr;
    CUfunction probe_clock_ = nullptr;
    CUfunction empty_ = nullptr;
};

}  // namespace redtune::bench
