// Makes the calls of barriers and fences removable, one at a time, for scripts/test-mutations. This header is included
// before the kernels. The environment variable REDTUNE_REMOVED_CALL=FILE:LINE names the call that does nothing, so that
// one build serves all removals.
#pragma once

#include "stand_in/cuda_builtins.h"
// These stand-ins define functions with the names of the macros below, so they must be included before the macros are
// defined.
#include "kernels_src/bulk_copy.cuh"
#include "kernels_src/cluster.cuh"

namespace redtune::emulated {

/// Returns whether REDTUNE_REMOVED_CALL names this line of `file`. `file` may be a longer path that ends with the FILE
/// in the variable.
bool is_removed(const char* file, int line);

}  // namespace redtune::emulated

#define REDTUNE_REMOVABLE(call) (redtune::emulated::is_removed(__FILE__, __LINE__) ? void() : call)
#define __syncthreads(...) REDTUNE_REMOVABLE(__syncthreads(__VA_ARGS__))
#define __syncwarp(...) REDTUNE_REMOVABLE(__syncwarp(__VA_ARGS__))
#define __threadfence(...) REDTUNE_REMOVABLE(__threadfence(__VA_ARGS__))
#define cluster_arrive(...) REDTUNE_REMOVABLE(cluster_arrive(__VA_ARGS__))
#define cluster_wait(...) REDTUNE_REMOVABLE(cluster_wait(__VA_ARGS__))
#define cluster_sync(...) REDTUNE_REMOVABLE(cluster_sync(__VA_ARGS__))
