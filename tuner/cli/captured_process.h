#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace redtune::cli {

/// The output of a process that has ended, on stdout and stderr together, and whether the process failed.
struct Captured {
    std::string text;
    bool has_failed = false;  ///< it ended with an exit code other than 0, or by a signal
};

/// When a process is killed before it ends.
struct CaptureLimits {
    const std::atomic<bool>* stop = nullptr;        ///< as soon as this is true; null: never
    std::optional<std::chrono::milliseconds> time;  ///< after this time; empty: never
};

/// Runs a program without input until it has ended, and returns what it printed. With `stop` it has a process group of
/// its own, so that Ctrl-C in a terminal reaches only this process, and what it has started is killed with it.
/// @param words the file of the program, then its arguments
/// @throws DeviceError if it cannot be started, or if the time is over; search::Stopped if it was killed because of
/// `stop`
Captured run_captured(const std::vector<std::string>& words, const CaptureLimits& limits = {});

}  // namespace redtune::cli
