#pragma once

#include <nanobind/nanobind.h>
// Without this header, nb::cast<std::string> takes std::string for a class of a module, and fails when it runs.
#include <nanobind/stl/string.h>

#include <string>

namespace redtune::python {

/// Returns str(object).
inline std::string text_of(nanobind::handle object) {
    return nanobind::cast<std::string>(nanobind::str(object));
}

}  // namespace redtune::python
