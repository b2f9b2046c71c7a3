// Threads that wait for each other: block barriers, warp collectives, cluster barriers; and waits that never end.
#pragma once

#include "launch_state.h"

namespace emulator {

/// The thread has exited: collectives that name its lane cannot complete.
void leave_warp(Thread& thread);
/// The thread has exited: its cluster no longer waits for it.
void leave_cluster(Thread& thread);

/// No thread of these blocks can run again.
void report_deadlock(const std::vector<Block*>& blocks);
/// Threads run, but poll what nobody changes.
void report_no_progress();

}  // namespace emulator
