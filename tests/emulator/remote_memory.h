// Distributed shared memory: accesses of a cluster's blocks to each other's shared memory.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Reports accesses by other blocks to the shared memory of an ending block that are not ordered before the block's
/// end.
void check_remote_accesses_at_end(Block& block);
/// Records that the accesses that are ordered before the exit of `thread` are also ordered before the end of its block.
void note_exit(Thread& thread);

}  // namespace emulator
