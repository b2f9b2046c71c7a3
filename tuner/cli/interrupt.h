#pragma once

#include <atomic>

namespace redtune::cli {

/// Makes Ctrl-C and SIGTERM set this flag. Another one, more than a second later, ends the program as usual.
const std::atomic<bool>& stop_on_interrupt();

}  // namespace redtune::cli
