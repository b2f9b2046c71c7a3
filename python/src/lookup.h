#pragma once

#include <nanobind/nanobind.h>

namespace redtune::python {

/// Adds the class Catalog and the functions about devices, names and files to the module.
void add_lookup(nanobind::module_& module);

}  // namespace redtune::python
