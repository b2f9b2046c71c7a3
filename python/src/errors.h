#pragma once

#include "redtune/error.h"

namespace redtune::python {

/// The call is meaningful, but redtune cannot make it.
class UnsupportedError : public Error {
  public:
    using Error::Error;
};

/// Lets nanobind translate the exceptions of the library into those of the module redtune._errors.
void register_errors();

}  // namespace redtune::python
