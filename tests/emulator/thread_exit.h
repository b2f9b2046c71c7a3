// The effects of a thread's exit on threads that wait for it.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Marks the lane of an exited thread as exited: a warp collective whose mask names this lane can no longer complete.
void leave_warp(Thread& thread);
/// Counts an exited thread as arrived at its cluster's barrier.
void leave_cluster(Thread& thread);

}  // namespace emulator
