// cp.async.bulk and the barriers that count its bytes.
#pragma once

#include <string>

#include "launch_state.h"

namespace emulator {

/// Lets one of the copies under way arrive.
void deliver_copy();
/// A block must not end before the copies into its shared memory have arrived.
void check_copies_at_end(const Block& block);
/// What barriers that threads wait at still miss; empty without any.
std::string describe_copy_barriers();

}  // namespace emulator
