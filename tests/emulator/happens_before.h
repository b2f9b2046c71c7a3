// The happens-before relation: the rules of the CUDA memory model that the families rely on.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Returns whether the vector clock `known` covers an access of `thread` with this epoch and clock.
bool knows(const ClockPtr& known, std::uint32_t thread, std::uint32_t epoch, std::uint32_t clock);

/// Returns whether the access happened before the current access of `thread`.
bool ordered(const Thread& thread, const AccessRecord& access);

/// Orders all threads of a block at a block barrier.
void order_block(Block& block);
/// Orders the lanes of the mask at a __syncwarp.
void order_warp(Block& block, std::uint32_t warp, std::uint32_t mask);

/// Adds to `join` the accesses of the thread's own block that block barriers and __syncwarp order before this point of
/// the thread.
void add_own_block(ClockJoin& join, const Thread& thread);

/// Returns the clock that a release by the thread publishes. It covers everything ordered before the release, and the
/// thread's own accesses.
ClockPtr release(Thread& thread);

/// Record an atomic read or write by the thread, and the clocks that it receives or publishes.
void read_atomic(Thread& thread, std::uintptr_t address, AtomicOrder order);
void write_atomic(Thread& thread, std::uintptr_t address, AtomicOrder order, bool is_update);

}  // namespace emulator
