#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "redtune/export.h"

namespace redtune {

/// The base class of every exception that redtune throws. `what()` says what was wrong, what is allowed and what to do
/// about it. A look-up that finds nothing is not an error: it returns an empty value.
class REDTUNE_EXPORT Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A device, driver or run-time library is missing, refused a call or failed during a call.
class REDTUNE_EXPORT DeviceError : public Error {
  public:
    using Error::Error;
};

/// A database cannot be opened, read or written, or was not made by redtune.
class REDTUNE_EXPORT DatabaseError : public Error {
  public:
    using Error::Error;
};

/// The caller's input is wrong: an option, a size, a family file, an operator.
class REDTUNE_EXPORT InputError : public Error {
  public:
    using Error::Error;
};

/// NVRTC rejected a kernel. The configurations and the compiler's log are separate members, so that a front end can
/// show either.
class REDTUNE_EXPORT CompileError : public Error {
  public:
    /// @param configuration the configurations that were compiled together
    /// @param log NVRTC's log
    CompileError(std::string configuration, std::string log)
        : Error("cannot compile " + configuration + ":\n" + log),
          configuration_(std::move(configuration)),
          log_(std::move(log)) {}

    /// Returns the configurations whose kernels were compiled together and failed, as `family(parameter=value, ...)`.
    const std::string& configuration() const noexcept { return configuration_; }
    /// Returns the complete log of NVRTC.
    const std::string& log() const noexcept { return log_; }

  private:
    std::string configuration_;
    std::string log_;
};

}  // namespace redtune
