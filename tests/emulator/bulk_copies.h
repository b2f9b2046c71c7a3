// cp.async.bulk and st.async, and the barriers that count their bytes.
#pragma once

#include <string>

#include "launch_state.h"

namespace emulator {

/// Is this a bulk copy or an asynchronous store, and no thread?
bool is_transfer(std::uint32_t thread);
bool is_async_store(std::uint32_t thread);
/// To shared memory of `owner`, which has its barrier too; both are in bounds of its arena.
void start_async_store(Block& owner, std::uintptr_t to, std::size_t bytes, unsigned long long value,
                       std::uintptr_t barrier, std::uint32_t site);
/// Lets one of the copies and stores under way arrive.
void deliver_transfer();
/// A block must not end before the copies and stores into its shared memory have arrived.
void check_transfers_at_end(const Block& block);
/// What barriers that threads wait at still miss; empty without any.
std::string describe_copy_barriers();

}  // namespace emulator
