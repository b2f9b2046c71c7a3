#pragma once

#include <nanobind/nanobind.h>

#include "python/src/operation.h"

namespace redtune::python {

/// The arguments of a reduction as the caller gave them; None where the caller gave none.
struct Arguments {
    nanobind::handle x;
    nanobind::handle second;  ///< the second array of vdot; null for other functions
    nanobind::handle axis;
    nanobind::handle dtype;
    bool keepdims = false;
    nanobind::handle out;
    nanobind::handle stream;
    nanobind::handle determinism;
};

/// Enqueues a reduction in the stream and returns its result: `out`, or a new array of the library of `x`.
/// @throws nanobind::type_error for arguments of a wrong type; InputError for values that are not allowed;
/// UnsupportedError for what would need a copy; DeviceError
nanobind::object reduce(const Operation& operation, const Arguments& arguments);

}  // namespace redtune::python
