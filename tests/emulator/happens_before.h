// Which accesses are ordered: the rules of the CUDA memory model that kernels here rely on.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Is the access part of what is known?
bool knows(const KnowledgePtr& known, std::uint32_t thread, std::uint32_t epoch, std::uint32_t clock);

/// Did the access happen before what `thread` does now?
bool ordered(const Thread& thread, const AccessRecord& access);

/// After a block barrier: everyone knows everything of the block.
void order_block(Block& block);
/// After a __syncwarp of these lanes.
void order_warp(Block& block, std::uint32_t warp, std::uint32_t mask);

/// What the thread knows of its own block by barriers and __syncwarp.
void add_own_block(KnowledgeJoin& join, const Thread& thread);

/// All that the thread knows now, and its own accesses so far: what a release hands on.
KnowledgePtr release(Thread& thread);

void read_atomic(Thread& thread, std::uintptr_t address, AtomicOrder order);
void write_atomic(Thread& thread, std::uintptr_t address, AtomicOrder order, bool is_update);

}  // namespace emulator
