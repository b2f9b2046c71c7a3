#include "python/src/stream_argument.h"

#include <cstdint>

namespace redtune::python {

namespace nb = nanobind;

namespace {

/// Returns the number that an object is or, like one of ctypes, has as its value; None counts as 0.
std::uintptr_t number_of(nb::handle object) {
    const nb::object value = nb::getattr(object, "value", object);
    return value.is_none() ? 0 : nb::cast<std::uintptr_t>(value);
}

}  // namespace

Stream read_stream(nb::handle object) {
    std::uintptr_t handle = 0;
    if (PyLong_Check(object.ptr()) != 0) {
        handle = nb::cast<std::uintptr_t>(object);
    } else if (nb::hasattr(object, "cuda_stream")) {
        handle = number_of(object.attr("cuda_stream"));
    } else if (nb::hasattr(object, "__cuda_stream__")) {
        handle = number_of(nb::object(object.attr("__cuda_stream__")()[1]));
    } else if (nb::hasattr(object, "ptr")) {
        handle = number_of(object.attr("ptr"));
    } else if (nb::hasattr(object, "handle")) {
        handle = number_of(object.attr("handle"));
    } else {
        throw nb::type_error(
            "stream must be a stream of PyTorch, CuPy or Numba, an object with __cuda_stream__, or a cudaStream_t as "
            "an "
            "int; None means the current stream of the array's library");
    }
    return reinterpret_cast<Stream>(handle);
}

}  // namespace redtune::python
