#pragma once

#include <atomic>

namespace redtune::cli {

/// Returns a flag that Ctrl-C and SIGTERM set from now on. A second signal, more than a second later, ends the program
/// at once.
const std::atomic<bool>& stop_on_interrupt();

}  // namespace redtune::cli
