#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>

namespace redtune::python {

/// Returns the axes that an argument `axis` names, as bits: None all, an int one, a tuple or list of ints several.
/// Negative axes count from the last.
/// @param takes_tuple false: a tuple is refused
/// @throws nanobind::type_error for other types; InputError for an axis that the array has not, or one that is named
/// twice
std::uint64_t read_axes(nanobind::handle axis, std::size_t dimensions, bool takes_tuple);

}  // namespace redtune::python
