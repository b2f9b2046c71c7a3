#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compare/reader_shapes.h"
#include "redtune/problem.h"
#include "tuner/gpu/module.h"
#include "tuner/jit/compiler.h"
#include "tuner/timing/subject.h"

namespace redtune::compare {

/// Returns the kernels that LimitProbes compiles.
std::vector<jit::KernelName> limit_kernel_names();

/// The probes of kernels_src/limit_kernels.cuh, loaded on one device, as subjects that a timer can time. In the regime
/// back_to_back they are programmatic dependent launches, as the kernels of that regime may be.
class LimitProbes {
  public:
    /// Compiles and loads the kernels.
    /// @throws CompileError, DeviceError
    explicit LimitProbes(jit::Compiler& compiler);

    timing::Subject empty(Regime regime) const;
    timing::Subject load(Regime regime) const;
    timing::Subject handover(Regime regime) const;
    /// @param bytes of the input; it must hold a whole aligned word (reader_words())
    timing::Subject reader(Regime regime, const ReaderShape& shape, std::uint64_t bytes) const;

  private:
    CUfunction kernel(const std::string& name, Regime regime) const;

    std::vector<std::unique_ptr<gpu::Module>> modules_;
    std::map<std::string, CUfunction> kernels_;  ///< by expression
};

/// Returns the number of whole, aligned words in `bytes` bytes that begin at `address`, which are what a reader reads.
/// It leaves out up to 15 bytes at either end, so its time is still below that of a kernel that reads all.
std::uint64_t reader_words(std::uint64_t address, std::uint64_t bytes);

}  // namespace redtune::compare
