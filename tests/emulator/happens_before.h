// Which accesses are ordered: the rules of the CUDA memory model that kernels here rely on.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Did the access happen before what `thread` does now?
bool ordered(const Thread& thread, const AccessRecord& access);

/// After a block barrier: everyone knows everything of the block.
void order_block(Block& block);
/// After a cluster barrier.
void order_cluster(std::uint32_t first_block);
/// After a __syncwarp of these lanes.
void order_warp(Block& block, std::uint32_t warp, std::uint32_t mask);

/// All that the thread knows now, and its own accesses so far: what a release hands on.
KnowledgePtr release(Thread& thread);

void read_atomic(Thread& thread, std::uintptr_t address, AtomicOrder order);
void write_atomic(Thread& thread, std::uintptr_t address, AtomicOrder order, bool is_update);

}  // namespace emulator
