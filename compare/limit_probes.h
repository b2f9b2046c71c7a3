#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compare/reader_shapes.h"
#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/gpu/module.h"
#include "tuner/jit/compiler.h"
#include "tuner/timing/subject.h"

namespace redtune::compare {

/// Returns the kernels that LimitProbes compiles.
std::vector<jit::KernelName> limit_kernel_names();

/// The probes of kernels_src/limit_kernels.cuh, loaded on one device, as subjects that a timer can time. In the regime
/// back_to_back they are programmatic dependent launches (PDL), as the kernels of that regime may be, if the device has
/// these (sm_90).
class LimitProbes {
  public:
    /// Compiles and loads the kernels.
    /// @throws CompileError, DeviceError
    LimitProbes(jit::Compiler& compiler, const DeviceInfo& device);

    timing::Subject empty_kernel(Regime regime) const;
    timing::Subject single_load(Regime regime) const;
    timing::Subject handover(Regime regime) const;
    /// @param bytes size of the input, which must contain a whole, aligned word (reader_words())
    timing::Subject reader(Regime regime, const ReaderShape& shape, std::uint64_t bytes) const;

  private:
    /// A loaded kernel, and whether its launches are PDL.
    struct Kernel {
        CUfunction function = nullptr;
        bool is_pdl = false;
    };
    Kernel kernel(const std::string& name, Regime regime) const;

    bool has_pdl_;
    std::vector<std::unique_ptr<gpu::Module>> modules_;
    std::map<std::string, CUfunction> kernels_;  ///< by expression
};

/// Returns the number of words that a reader reads of `bytes` bytes that begin at `address`: the whole, aligned words.
/// The reader leaves out up to 15 bytes at either end, so its time is still below that of a kernel that reads all of
/// them.
std::uint64_t reader_words(std::uint64_t address, std::uint64_t bytes);

}  // namespace redtune::compare
