#include "python/src/axes.h"

#include <fmt/format.h>

#include "redtune/error.h"

namespace redtune::python {

namespace nb = nanobind;

namespace {

std::uint64_t bit_of(nb::handle axis, std::size_t dimensions) {
    if (PyIndex_Check(axis.ptr()) == 0) throw nb::type_error("axis must be None, an int, or a tuple of ints");
    const nb::object number = nb::steal(PyNumber_Index(axis.ptr()));
    if (!number.is_valid()) throw nb::python_error();
    const auto index = nb::cast<std::int64_t>(number);
    const auto count = static_cast<std::int64_t>(dimensions);
    if (index < -count || index >= count) {
        throw InputError(count == 0
                             ? fmt::format("axis {} is given, but the array has no axes", index)
                             : fmt::format("the array has no axis {}; allowed are {} to {}", index, -count, count - 1));
    }
    return std::uint64_t{1} << (index < 0 ? index + count : index);
}

}  // namespace

std::uint64_t read_axes(nb::handle axis, std::size_t dimensions, bool takes_tuple) {
    if (axis.is_none()) return dimensions == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << dimensions) - 1;
    const bool is_tuple = PyTuple_Check(axis.ptr()) != 0 || PyList_Check(axis.ptr()) != 0;
    if (!is_tuple) return bit_of(axis, dimensions);
    if (!takes_tuple) throw nb::type_error("axis of argmin and argmax must be None or an int");
    std::uint64_t axes = 0;
    for (const nb::handle each : axis) {
        const std::uint64_t bit = bit_of(each, dimensions);
        if ((axes & bit) != 0) throw InputError("axis names an axis twice");
        axes |= bit;
    }
    return axes;
}

}  // namespace redtune::python
