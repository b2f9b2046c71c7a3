#include "python/src/find_nvrtc.h"

#include <nanobind/nanobind.h>

#include "python/src/text.h"

namespace redtune::python {

namespace nb = nanobind;

std::string find_nvrtc() {
    const nb::gil_scoped_acquire acquired;
    const nb::object path = nb::module_::import_("redtune._nvrtc").attr("find")();
    return path.is_none() ? std::string() : text_of(path);
}

}  // namespace redtune::python
