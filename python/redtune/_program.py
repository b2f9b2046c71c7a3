"""The redtune program, which is installed inside of the package."""

import os
import pathlib

from . import _nvrtc


def path():
    """Return the path of the program."""
    return str(pathlib.Path(__file__).parent / "bin" / "redtune")


def environment():
    """Return the environment for the program: this one, with the NVRTC of Python's packages if none is named."""
    variables = dict(os.environ)
    if "REDTUNE_NVRTC" not in variables and "REDTUNE_CUDA_LIB" not in variables:
        found = _nvrtc.find()
        if found:
            variables["REDTUNE_NVRTC"] = found
    return variables
