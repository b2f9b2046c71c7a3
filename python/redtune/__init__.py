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
from ._database import Database, database
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
from ._tune import tune

__all__ = [
    "Catalog", "CompileError", "Database", "DatabaseError", "DeviceError", "Error", "InputError", "Match",
    "NotFoundError", "UnsupportedError", "__version__", "all", "any", "argmax", "argmin", "best", "cached_reductions",
    "clear_cache", "database", "max", "mean", "min", "norm", "plot", "prod", "sum", "sum_of_squares", "tune", "vdot",
]


def __getattr__(name):
    """Import the submodule plot when it is first used, and torch never by itself."""
    if name == "plot":
        return _importlib.import_module(".plot", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
