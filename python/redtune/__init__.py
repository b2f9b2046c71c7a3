"""Fast reductions of arrays on NVIDIA GPUs, with kernels that were tuned for each size and device.

    import redtune, torch
    x = torch.rand(1 << 24, device="cuda")
    redtune.sum(x)                                    # a 0-d tensor on the device
    redtune.best("sum", "f32", x.numel(), "h200")     # the configuration, without a GPU

Arrays are those of PyTorch and CuPy, and objects with __cuda_array_interface__ or __dlpack__. Calls enqueue their work in
the current stream of the array's library, and wait for nothing. Importing the package imports none of these libraries and
needs no GPU.
"""

import importlib as _importlib
import typing as _typing

from ._core import (
    all,
    any,
    argmax,
    argmin,
    cached_reductions,
    clear_cache,
    max,
    mean,
    min,
    norm,
    prod,
    sum,
    sum_of_squares,
    vdot,
)
from ._core import version as __version__
from ._errors import (
    CompileError,
    DatabaseError,
    DeviceError,
    Error,
    InputError,
    NotFoundError,
    UnsupportedError,
)
from ._lookup import Catalog, Match, best

if _typing.TYPE_CHECKING:
    from ._database import Database, database
    from ._tune import tune

# What a program that only reduces does not need is imported when it is first used: the time of the import is part of the first
# call's.
_LAZY = {"Database": "_database", "database": "_database", "tune": "_tune"}

__all__ = [
    "Catalog", "CompileError", "Database", "DatabaseError", "DeviceError", "Error", "InputError", "Match",
    "NotFoundError", "UnsupportedError", "__version__", "all", "any", "argmax", "argmin", "best", "cached_reductions",
    "clear_cache", "database", "max", "mean", "min", "norm", "plot", "prod", "sum", "sum_of_squares", "tune", "vdot",
]


def __getattr__(name):
    """Import what is imported when it is first used, and torch never by itself."""
    if name == "plot":
        return _importlib.import_module(".plot", __name__)
    if name in _LAZY:
        return getattr(_importlib.import_module("." + _LAZY[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    """Return also the names that are imported when they are first used."""
    return sorted({*globals(), *__all__})
