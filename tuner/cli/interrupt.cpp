#include "tuner/cli/interrupt.h"

#include <csignal>
#include <ctime>

namespace redtune::cli {

namespace {

// Ctrl-C can deliver its signal twice: `timeout` and some shells signal the process and then its group. Two signals
// within this time count as one Ctrl-C.
constexpr std::time_t same_press_s = 1;

std::atomic<bool> stop = false;
std::atomic<std::time_t> first_at = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::time_t>::is_always_lock_free,
              "a signal handler may use them");

void on_signal(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!stop.exchange(true)) {
        first_at = now.tv_sec;
    } else if (now.tv_sec - first_at > same_press_s) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

}  // namespace

const std::atomic<bool>& interrupt_flag() {
    return stop;
}

const std::atomic<bool>& stop_on_interrupt() {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    return stop;
}

}  // namespace redtune::cli
