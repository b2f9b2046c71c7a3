// Reports launches in which no thread can make progress.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Reports a deadlock: what every thread of the blocks waits for. None of them can ever run again.
void report_deadlock(const std::vector<Block*>& blocks);
/// Reports that threads run but only poll words that no thread changes.
void report_no_progress();

}  // namespace emulator
