#pragma once

#include <atomic>

namespace redtune::cli {

/// Returns the flag of stop_on_interrupt() without installing the handlers.
const std::atomic<bool>& interrupt_flag();

/// Installs signal handlers and returns a flag that becomes true at the first Ctrl-C or SIGTERM. A second signal, more
/// than a second later, ends the program at once.
const std::atomic<bool>& stop_on_interrupt();

}  // namespace redtune::cli
