// Distributed shared memory: accesses of a cluster's blocks to each other's shared memory.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Reports other blocks' accesses to the shared memory of an ending block that are not ordered before its end.
void check_remote_accesses_at_end(Block& block);
/// Adds the exiting thread's clock to that of its block's end.
void note_exit(Thread& thread);

}  // namespace emulator
