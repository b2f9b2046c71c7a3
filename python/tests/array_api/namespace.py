"""A namespace of the array API standard: that of another library, with reductions by redtune.

Everything but the reductions is the base library's. Where redtune refuses a call that the standard allows, the namespace
does what a user of redtune would do:

- An array whose reduced axes are not neighbours in memory, or that has gaps, is copied first (redtune.UnsupportedError).
- Complex arrays and results, which redtune has not, are left to the base library; so are norms of other orders than 1 and 2.
- A sum or product in a type that redtune does not return (dtype=) is computed in its default type, and converted: of
  integers, the narrower type's bits are the same, and floats are rounded once.
- vecdot, which the standard lets broadcast and convert its arguments, does that before it calls redtune.vdot.

`calls` of a namespace counts how each function was computed.
"""

import collections
import types

FUNCTIONS = ("sum", "prod", "mean", "min", "max", "argmin", "argmax", "any", "all", "vecdot", "vector_norm")
WAYS = ("direct", "copied", "converted", "base")


class Namespace(types.ModuleType):
    """The namespace of a base library with reductions by another one.

    base: a namespace of the array API, such as array_api_compat.torch
    reductions: the module redtune, or what stands in for it
    """

    def __init__(self, base, reductions):
        super().__init__(f"redtune_over_{base.__name__.replace('.', '_')}")
        self._base = base
        self._reductions = reductions
        self.__array_api_version__ = base.__array_api_version__
        self.calls = collections.Counter()  # of pairs of a function's name and one of WAYS
        if hasattr(base, "linalg"):
            self.linalg = _LinearAlgebra(base.linalg, self)

    def __getattr__(self, name):
        return getattr(self._base, name)

    def __dir__(self):
        return sorted({*super().__dir__(), *dir(self._base)})

    def sum(self, x, /, *, axis=None, dtype=None, keepdims=False):
        return self._accumulated("sum", x, axis, dtype, keepdims)

    def prod(self, x, /, *, axis=None, dtype=None, keepdims=False):
        return self._accumulated("prod", x, axis, dtype, keepdims)

    def mean(self, x, /, *, axis=None, keepdims=False):
        return self._reduced("mean", x, axis, keepdims)

    def min(self, x, /, *, axis=None, keepdims=False):
        return self._reduced("min", x, axis, keepdims)

    def max(self, x, /, *, axis=None, keepdims=False):
        return self._reduced("max", x, axis, keepdims)

    def argmin(self, x, /, *, axis=None, keepdims=False):
        return self._reduced("argmin", x, axis, keepdims)

    def argmax(self, x, /, *, axis=None, keepdims=False):
        return self._reduced("argmax", x, axis, keepdims)

    def any(self, x, /, *, axis=None, keepdims=False):
        return self._reduced("any", x, axis, keepdims)

    def all(self, x, /, *, axis=None, keepdims=False):
        return self._reduced("all", x, axis, keepdims)

    def vecdot(self, x1, x2, /, *, axis=-1):
        base = self._base
        if axis >= 0 or x1.shape[axis] != x2.shape[axis]:
            raise ValueError(f"axis {axis} of the shapes {x1.shape} and {x2.shape} must be negative, and of one length")
        dtype = base.result_type(x1, x2)
        if base.isdtype(dtype, ("bool", "complex floating")):
            self.calls["vecdot", "base"] += 1
            return base.vecdot(x1, x2, axis=axis)
        x1, x2 = (base.astype(x, dtype, copy=False) for x in base.broadcast_arrays(x1, x2))
        try:
            result = self._reductions.vdot(x1, x2, axis=axis)
            self.calls["vecdot", "direct"] += 1
        except self._reductions.UnsupportedError:
            x1, x2 = (self._with_last_axes(x, (axis % x.ndim,)) for x in (x1, x2))
            result = self._reductions.vdot(x1, x2, axis=-1)
            self.calls["vecdot", "copied"] += 1
        return result

    def _vector_norm(self, x, axis, keepdims, ord):
        if ord not in (1, 2):
            self.calls["vector_norm", "base"] += 1
            return self._base.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
        return self._reduced("norm", x, axis, keepdims, counted="vector_norm", ord=int(ord))

    def _accumulated(self, name, x, axis, dtype, keepdims):
        """Return a sum or product in the given type."""
        base = self._base
        if dtype is None:
            return self._reduced(name, x, axis, keepdims)
        if self._is_complex(dtype) or self._is_complex(x.dtype):
            self.calls[name, "base"] += 1
            return getattr(base, name)(x, axis=axis, dtype=dtype, keepdims=keepdims)
        try:
            return self._reduced(name, x, axis, keepdims, dtype=dtype)
        except self._reductions.InputError:
            if base.isdtype(dtype, "real floating") != base.isdtype(x.dtype, "real floating"):
                x = base.astype(x, dtype)  # a sum of other values, such as of floats that are rounded to integers
            return base.astype(self._reduced(name, x, axis, keepdims, way="converted"), dtype)

    def _reduced(self, name, x, axis, keepdims, *, counted=None, way="direct", **options):
        """Return a reduction by redtune, of a copy of x if it needs one; of a complex array, that by the base library."""
        counted = counted or name
        if self._is_complex(x.dtype):
            self.calls[counted, "base"] += 1
            function = self._base.linalg.vector_norm if name == "norm" else getattr(self._base, name)
            return function(x, axis=axis, keepdims=keepdims, **options)
        reduce = getattr(self._reductions, name)
        try:
            result = reduce(x, axis=axis, keepdims=keepdims, **options)
        except self._reductions.UnsupportedError:
            way = "copied"
            result = self._of_copy(reduce, x, axis, keepdims, options)
        self.calls[counted, way] += 1
        return result

    def _of_copy(self, reduce, x, axis, keepdims, options):
        """Return a reduction of a copy of x in which the reduced axes are the last ones."""
        axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        reduced = sorted(each % x.ndim for each in axes)
        # One axis, if there is only one, because argmin and argmax take no tuple.
        last = None if axis is None else -1 if len(reduced) == 1 else tuple(range(-len(reduced), 0))
        result = reduce(self._with_last_axes(x, reduced), axis=last, **options)
        if keepdims:
            result = self._base.reshape(result, tuple(1 if i in reduced else x.shape[i] for i in range(x.ndim)))
        return result

    def _with_last_axes(self, x, last):
        """Return a copy in C order, in which these axes are the last ones."""
        kept = [i for i in range(x.ndim) if i not in last]
        moved = self._base.permute_dims(x, (*kept, *last))
        copy = self._base.empty(moved.shape, dtype=x.dtype, device=x.device)
        copy[...] = moved
        return copy

    def _is_complex(self, dtype):
        return self._base.isdtype(dtype, "complex floating")


class _LinearAlgebra(types.ModuleType):
    """The extension linalg of a base library with norms and products by redtune."""

    def __init__(self, base, namespace):
        super().__init__(f"{namespace.__name__}.linalg")
        self._base = base
        self._namespace = namespace

    def __getattr__(self, name):
        return getattr(self._base, name)

    def vector_norm(self, x, /, *, axis=None, keepdims=False, ord=2):
        return self._namespace._vector_norm(x, axis, keepdims, ord)

    def vecdot(self, x1, x2, /, *, axis=-1):
        return self._namespace.vecdot(x1, x2, axis=axis)
