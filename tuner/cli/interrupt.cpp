#include "tuner/cli/interrupt.h"

#include <csignal>

namespace redtune::cli {

namespace {

std::atomic<bool> stop = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

void on_signal(int signal) {
    stop = true;
    std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_on_interrupt() {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    return stop;
}

}  // namespace redtune::cli
