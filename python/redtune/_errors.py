"""The exceptions of the package. Each message says what was wrong, what is allowed, and what to do."""


class Error(Exception):
    """The base class of every exception that redtune raises, apart from TypeError."""


class InputError(Error, ValueError):
    """An argument has a value that is not allowed."""


class UnsupportedError(Error, NotImplementedError):
    """The call is meaningful, but redtune cannot make it, such as a reduction that needs a copy of its input."""


class DeviceError(Error, RuntimeError):
    """A device, driver or compiler is missing, or refused a call."""


class DatabaseError(Error):
    """A database cannot be opened, read or written, or was not made by redtune."""


class CompileError(Error):
    """NVRTC rejected a kernel; the message has its log."""


class NotFoundError(Error, LookupError):
    """No configuration is possible within the limits of a look-up; the message says what ruled out which."""
