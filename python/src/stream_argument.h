#pragma once

#include <nanobind/nanobind.h>

#include "redtune/reducer.h"

namespace redtune::python {

/// Returns the stream that an object names: a cudaStream_t as a number, an object with `__cuda_stream__`, a stream of
/// PyTorch (`cuda_stream`), CuPy (`ptr`) or Numba (`handle`).
/// @throws nanobind::type_error for anything else
Stream read_stream(nanobind::handle object);

}  // namespace redtune::python
