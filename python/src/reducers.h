#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

#include "redtune/reducer.h"

namespace redtune::python {

/// A reducer of the cache. The GIL guards all members but `reducer`.
struct CachedReducer {
    CachedReducer(const Problem& problem, const ReducerOptions& options) : reducer(problem, options) {}

    Reducer reducer;
    /// The extents of the last call that succeeded: another call with them compiles and loads nothing, and so may keep
    /// the GIL.
    Extents last = {0, 0, 0};
    std::uint32_t calls = 0;          ///< that threads make now
    std::uint64_t last_use = 0;       ///< number of the last use that ended, of all uses of the process
    bool has_recorded_calls = false;  ///< graphs may have recorded calls, whose kernels and workspaces they keep
};

/// Keeps a reducer of the cache from being freed. Make and destroy it with the GIL.
class ReducerUse {
  public:
    explicit ReducerUse(CachedReducer* reducer) noexcept;
    ~ReducerUse();
    ReducerUse(const ReducerUse&) = delete;
    ReducerUse& operator=(const ReducerUse&) = delete;

    CachedReducer* get() const noexcept { return reducer_; }

  private:
    CachedReducer* reducer_;  // null: there is none
};

/// Returns the reducer of a problem in the current context, for calls with `outer` matrices or rows; makes it at the
/// first call, unless `stream` is being captured: the allocation of its workspaces would break the capture. Then the
/// result has none. Call it with the GIL, which guards the cache.
///
/// A context has at most 256 idle reducers with workspaces of 1 GiB, not counted those that have recorded calls in
/// graphs. If there are as many, waits for the context's work, without the GIL, and frees those that have not been used
/// for the longest time, until three quarters are left.
/// @throws as the constructor of redtune::Reducer; DeviceError
ReducerUse reducer_for(CUcontext context, const Problem& problem, std::uint64_t outer, Stream stream);

/// Returns how many reducers the cache has.
std::size_t reducer_count() noexcept;

/// Waits for each context that reducers belong to, and destroys all reducers. Call it with the GIL.
void clear_reducers();

}  // namespace redtune::python
