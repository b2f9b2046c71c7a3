// Which thread runs next.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Runs the launch that `launch` describes to its end.
void run_blocks(unsigned blocks_in_flight);

/// Called by threads: lets others run until somebody wakes this one.
void wait(ThreadState state, const char* collective, std::source_location where);
void wake(Thread& thread);
/// Every thread of the block but the one that runs.
void wake_all(Block& block);
/// Another thread may run now.
void preemption_point();
/// The thread found what it polls unchanged, perhaps. `site`: where.
void poll_point(std::uint32_t site);
/// Something changed that a polling thread may wait for.
inline void note_progress() {
    launch.stalled = 0;
}

/// Ends the launch: no thread of it runs again. Does not return when a thread calls it.
void abandon();

}  // namespace emulator
