#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <span>

#include "redtune/call_status.h"
#include "redtune/match.h"
#include "redtune/reducer.h"
#include "tuner/gpu/driver.h"
#include "tuner/launch/kernel_request.h"
#include "tuner/launch/loaded_kernel.h"
#include "tuner/runtime/current_device.h"
#include "tuner/runtime/kernel_source.h"
#include "tuner/runtime/kernel_table.h"

namespace redtune::runtime {

/// The kernels that a reducer has loaded, and the way to load more. Any number of threads may call all members at once.
class PreparedKernels {
  public:
    /// `device` must outlive the object.
    PreparedKernels(const Problem& problem, const CurrentDevice& device, const ReducerOptions& options);

    const KernelSource& source() const noexcept { return source_; }

    /// Compiles and loads the kernels of these configurations that are not loaded yet.
    /// @param place where the kernels find the number of elements
    /// @throws CompileError, DeviceError
    void load(std::span<const Match> matches, launch::CountPlace place);
    void load(const Match& match, launch::CountPlace place) { load({&match, 1}, place); }

    /// Sets `kernel` to the kernels of a configuration. If they are not loaded yet, loads them, unless the stream is
    /// captured: then the result is not_prepared. Takes no lock for kernels that are loaded.
    CallStatus find_or_load(const Match& match, launch::CountPlace place, CUstream stream,
                            const launch::LoadedKernel*& kernel) noexcept;

  private:
    KernelTable& table(launch::CountPlace place) noexcept { return loaded_[static_cast<std::size_t>(place)]; }
    void check_residency(const Match& match, const launch::LoadedKernel& kernel) const;

    const CurrentDevice& device_;
    std::mutex mutex_;  // of source_ and of additions to loaded_
    KernelSource source_;
    std::array<KernelTable, 2> loaded_;  // by CountPlace
};

}  // namespace redtune::runtime
