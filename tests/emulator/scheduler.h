// The scheduler, which chooses the thread that runs next.
#pragma once

#include "launch_state.h"

namespace emulator {

/// Runs the launch that `launch` (launch_state.h) describes until it ends. blocks_in_flight: the most blocks that run
/// at the same time; at least one cluster always runs.
void run_blocks(unsigned blocks_in_flight);

/// Suspends the running thread until wake() is called for it. collective: the name of the barrier or collective at
/// which it waits.
void wait(ThreadState state, const char* collective, std::source_location where);
void wake(Thread& thread);
/// Wakes all threads of the block except the running one.
void wake_all(Block& block);
/// Switches to another thread or returns at once, as the seed decides.
void preemption_point();
/// Records that the running thread may be polling a word at `site`, and switches to another thread.
void poll_point(std::uint32_t site);
/// Resets the number of polls without progress, because something has changed that a thread may be polling for.
inline void note_progress() {
    launch.stalled = 0;
}

/// Ends the launch: none of its threads runs again. Does not return to a thread that calls it.
void abandon();

}  // namespace emulator
