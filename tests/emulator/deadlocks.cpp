#include "deadlocks.h"

#include <map>

#include "bulk_copies.h"
#include "scheduler.h"
#include "source_lines.h"
#include "thread_exit.h"

namespace emulator {

namespace {

std::string describe_state(const Thread& thread) {
    switch (thread.state) {
        case ThreadState::exited:
            return "exited";
        case ThreadState::runnable:
            if (thread.poll_site == 0) return "can run";
            return "can run and last polled at " + source_lines({thread.poll_site})[0];
        default:
            return "wait at " + std::string(thread.collective) + " (" + source_line(thread.where) + ")";
    }
}

std::string describe(const Block& block) {
    std::map<std::string, std::vector<std::uint32_t>> groups;
    for (std::uint32_t i = 0; i < launch.shape.block; ++i) {
        groups[describe_state(block.threads[i])].push_back(i);
    }
    std::string text = "block " + std::to_string(block.index) + ": ";
    bool first = true;
    for (const auto& [state, threads] : groups) {
        if (!first) text += ", ";
        first = false;
        text += (threads.size() == 1 ? "thread " : "threads ") + ranges(threads) + " " + state;
    }
    return text;
}

std::string describe(const std::vector<Block*>& blocks) {
    constexpr std::size_t most_blocks = 4;
    std::string text;
    for (std::size_t i = 0; i < blocks.size() && i < most_blocks; ++i) {
        text += (i > 0 ? "; " : "") + describe(*blocks[i]);
    }
    if (blocks.size() > most_blocks) text += "; and " + std::to_string(blocks.size() - most_blocks) + " more blocks";
    std::size_t not_started = 0;
    for (std::uint32_t i = 0; i < launch.shape.grid; ++i) not_started += !launch.blocks[i] && !launch.ended[i];
    if (not_started > 0) {
        text += "; " + std::to_string(not_started) + " of " + std::to_string(launch.shape.grid) +
                " blocks have not started, because those in flight have not ended";
    }
    return text + describe_copy_barriers();
}

}  // namespace

void report_deadlock(const std::vector<Block*>& blocks) {
    report_fatal("deadlock", "deadlock: " + describe(blocks));
}

void report_no_progress() {
    report_fatal("spin", "no progress: " + describe(launch.in_flight));
}

}  // namespace emulator
