#pragma once

#include <optional>

#include "redtune/reducer.h"

namespace redtune::python {

/// Lets the later work of `stream` wait for the work that `producer` has now. Does nothing if they are the same stream
/// or the producer is not known.
/// @throws DeviceError
void wait_for(std::optional<Stream> producer, Stream stream);

}  // namespace redtune::python
