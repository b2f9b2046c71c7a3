#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

#include "redtune/reducer.h"

namespace redtune::python {

/// A reducer of the cache.
struct CachedReducer {
    explicit CachedReducer(const Problem& problem) : reducer(problem) {}

    Reducer reducer;
    /// The n of the last call that succeeded: another call with it compiles and loads nothing, and so may keep the GIL.
    std::uint64_t last_n = ~std::uint64_t{0};
};

/// Returns the reducer of a problem in the current context; makes it at the first call, unless `stream` is being
/// captured: the allocation of its workspaces would break the capture. Then the result is null. Call it with the GIL,
/// which guards the cache. The reducer stays valid until clear_reducers().
/// @throws as the constructor of redtune::Reducer
CachedReducer* reducer_for(CUcontext context, const Problem& problem, Stream stream);

/// Returns how many reducers the cache has.
std::size_t reducer_count() noexcept;

/// Waits for each context that reducers belong to, and destroys all reducers. Call it with the GIL.
void clear_reducers();

}  // namespace redtune::python
