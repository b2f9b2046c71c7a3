// Asynchronous transfers (cp.async.bulk, st.async) and the mbarriers that count their bytes.
#pragma once

#include <string>

#include "launch_state.h"

namespace emulator {

/// Returns whether the id is that of a transfer, which is a bulk copy or an asynchronous store, instead of a thread.
bool is_transfer(std::uint32_t thread);
/// Returns whether the id is that of an asynchronous store.
bool is_async_store(std::uint32_t thread);
/// Starts an asynchronous store to shared memory of `owner`; target and barrier must lie in that block's arena.
void start_async_store(Block& owner, std::uintptr_t to, std::size_t bytes, unsigned long long value,
                       std::uintptr_t barrier, std::uint32_t site);
/// Completes one pending transfer; the seed decides which one.
void deliver_transfer();
/// Reports transfers into the block's shared memory that are still pending when the block ends.
void check_transfers_at_end(const Block& block);
/// Returns text that says which arrivals and bytes are missing at the mbarriers with waiting threads; empty if there
/// are none.
std::string describe_copy_barriers();

}  // namespace emulator
