// Distributed shared memory: blocks of a cluster that read and write each other's.
#pragma once

#include "launch_state.h"

namespace emulator {

/// A block whose shared memory others may still access must not have ended.
void check_remote_accesses_at_end(Block& block);
/// What the block's threads knew when they exited.
void note_exit(Thread& thread);

}  // namespace emulator
