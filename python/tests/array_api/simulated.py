"""What stands in for redtune where there is no GPU: redtune itself over the simulated driver, with arrays of the CPU.

redtune reads the arrays, refuses what it refuses, and makes the results, with their shapes and types. The simulated driver
computes sums of float32 only; all other values are NumPy's.
"""

import numpy

import redtune
from arrays import ExchangeArray


def host(x):
    """Return an array of NumPy or a tensor of PyTorch on the CPU as an array of NumPy, without a copy."""
    return x.numpy() if hasattr(x, "numpy") else numpy.asarray(x)


def expected(name, arrays, result, options):
    """Return the values of a reduction, computed by NumPy."""
    axis, keepdims = options.get("axis"), options.get("keepdims", False)
    if name == "norm":
        return numpy.linalg.vector_norm(arrays[0], axis=axis, keepdims=keepdims, ord=options["ord"])
    if name == "vdot":
        return (arrays[0] * arrays[1]).sum(axis=axis, keepdims=keepdims, dtype=result.dtype)
    others = {"dtype": result.dtype} if name in ("sum", "prod") else {}
    return getattr(numpy, name)(arrays[0], axis=axis, keepdims=keepdims, **others)


class Reductions:
    """redtune's functions for arrays of a base library on the CPU."""

    InputError = redtune.InputError
    UnsupportedError = redtune.UnsupportedError

    def __init__(self, base):
        self.base = base

    def __getattr__(self, name):
        def reduce(*arrays, **options):
            arrays = [host(array) for array in arrays]
            result = getattr(redtune, name)(*map(ExchangeArray, arrays), **options).values
            if not (name == "sum" and arrays[0].dtype == result.dtype == numpy.float32):
                values = numpy.asarray(expected(name, arrays, result, options))
                assert values.shape == result.shape, f"{name} has the shape {result.shape}, and NumPy's {values.shape}"
                result = values.astype(result.dtype)
            return self.base.asarray(result)

        return reduce
