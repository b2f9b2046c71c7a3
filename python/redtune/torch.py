"""Operators of PyTorch that redtune computes, with gradients and for torch.compile. Importing this module imports PyTorch.

    import redtune.torch
    redtune.torch.sum(x, dim=-1)             # calls torch.ops.redtune.sum
    with redtune.torch.enable():
        torch.sum(x, dim=-1)                 # redtune's where it can, PyTorch's where it cannot

x is a CUDA tensor. The operators run in the current stream and raise what the functions of redtune raise, and IndexError for a
dim that x has not. Their arguments are named as PyTorch's.
"""

from __future__ import annotations

import math
import typing

import torch
from torch.overrides import TorchFunctionMode

import redtune

__all__ = ["amax", "amin", "enable", "mean", "norm", "sum"]

_library = torch.library.Library("redtune", "DEF")


def _axes(x: torch.Tensor, dim: typing.Sequence[int] | None) -> tuple[int, ...]:
    """Return the reduced dimensions, none of them negative. As in PyTorch, an empty list means all."""
    if not dim:
        return tuple(range(x.dim()))
    count = max(x.dim(), 1)  # as PyTorch, which takes 0 and -1 for a tensor without dimensions
    for each in dim:
        if not -count <= each < count:
            raise IndexError(f"dim {each} is out of range; a tensor with {x.dim()} dimensions takes {-count} to {count - 1}")
    axes = tuple(each % count for each in dim)
    if len(set(axes)) < len(axes):
        raise redtune.InputError(f"dim {list(dim)} names a dimension twice")
    return axes if x.dim() > 0 else ()


def _default_type(x: torch.Tensor, dtype: torch.dtype | None = None) -> torch.dtype:
    """Return the type of a sum, which for all integers is int64 in PyTorch."""
    return dtype or (x.dtype if x.dtype.is_floating_point else torch.int64)


def _empty_result(x: torch.Tensor, dim: typing.Sequence[int] | None, keepdim: bool, dtype: torch.dtype) -> torch.Tensor:
    reduced = _axes(x, dim)
    shape = [1 if i in reduced else extent for i, extent in enumerate(x.shape) if keepdim or i not in reduced]
    return x.new_empty(shape, dtype=dtype)


def _with_reduced(value: torch.Tensor, axes: tuple[int, ...], keepdim: bool) -> torch.Tensor:
    """Return a result with its reduced dimensions, which are of one element."""
    if not keepdim:
        for axis in sorted(axes):
            value = value.unsqueeze(axis)
    return value


def _define(name: str, schema: str, compute: typing.Callable, result_type: typing.Callable, setup: typing.Callable,
            backward: typing.Callable) -> typing.Any:
    """Define the operator redtune::name and return it.

    compute(x, axes, keepdim, *others): the result, by redtune. others are the schema's arguments after keepdim.
    result_type(x, *others): its type
    """
    _library.define(f"{name}(Tensor x, int[]? dim=None, bool keepdim=False{schema}) -> Tensor")

    def on_cuda(x, dim=None, keepdim=False, *others):
        # Without a gradient: that is the dispatcher's task, and redtune refuses tensors that require one.
        return compute(x.detach(), _axes(x, dim) or None, keepdim, *others)

    def fake(x, dim=None, keepdim=False, *others):
        return _empty_result(x, dim, keepdim, result_type(x, *others))

    _library.impl(name, on_cuda, "CUDA")
    torch.library.register_fake(f"redtune::{name}", fake, lib=_library)
    torch.library.register_autograd(f"redtune::{name}", backward, setup_context=setup, lib=_library)
    return getattr(torch.ops.redtune, name)


def _setup(keeps_tensors: bool) -> typing.Callable:
    def setup(ctx, inputs, output):
        x, dim, keepdim, *others = inputs
        ctx.axes, ctx.keepdim, ctx.others = _axes(x, dim), keepdim, others
        ctx.shape, ctx.dtype, ctx.arguments = x.shape, x.dtype, len(inputs)
        if keeps_tensors:
            ctx.save_for_backward(x, output)

    return setup


def _gradients(ctx, gradient: torch.Tensor) -> tuple:
    """Return the gradient of x, and None for each other argument."""
    return (gradient.to(ctx.dtype), *[None] * (ctx.arguments - 1))


def _sum_backward(ctx, gradient):
    return _gradients(ctx, _with_reduced(gradient, ctx.axes, ctx.keepdim).expand(ctx.shape))


def _mean_backward(ctx, gradient):
    count = math.prod(ctx.shape[axis] for axis in ctx.axes)
    return _gradients(ctx, (_with_reduced(gradient, ctx.axes, ctx.keepdim) / count).expand(ctx.shape))


def _extreme_backward(ctx, gradient):
    """Distributes the gradient evenly among equal extremes, as PyTorch's amax and amin do."""
    x, output = ctx.saved_tensors
    is_extreme = x == _with_reduced(output, ctx.axes, ctx.keepdim)
    count = is_extreme.sum(dim=ctx.axes, keepdim=True) if ctx.axes else is_extreme
    return _gradients(ctx, is_extreme * (_with_reduced(gradient, ctx.axes, ctx.keepdim) / count))


def _norm_backward(ctx, gradient):
    x, output = ctx.saved_tensors
    gradient = _with_reduced(gradient, ctx.axes, ctx.keepdim)
    if ctx.others[0] == 1:
        return _gradients(ctx, x.sgn() * gradient)
    norm = _with_reduced(output, ctx.axes, ctx.keepdim)
    return _gradients(ctx, x * (gradient / norm).masked_fill(norm == 0, 0))  # the subgradient 0, as PyTorch's


_sum = _define(
    "sum", ", ScalarType? dtype=None",
    lambda x, axes, keepdim, dtype=None: redtune.sum(x, axis=axes, keepdims=keepdim, dtype=_default_type(x, dtype)),
    _default_type, _setup(False), _sum_backward,
)
_mean = _define(
    "mean", "", lambda x, axes, keepdim: redtune.mean(x, axis=axes, keepdims=keepdim),
    lambda x: x.dtype, _setup(False), _mean_backward,
)
_amax = _define(
    "amax", "", lambda x, axes, keepdim: redtune.max(x, axis=axes, keepdims=keepdim),
    lambda x: x.dtype, _setup(True), _extreme_backward,
)
_amin = _define(
    "amin", "", lambda x, axes, keepdim: redtune.min(x, axis=axes, keepdims=keepdim),
    lambda x: x.dtype, _setup(True), _extreme_backward,
)
_norm = _define(
    "norm", ", int ord=2", lambda x, axes, keepdim, ord=2: redtune.norm(x, axis=axes, keepdims=keepdim, ord=ord),
    lambda x, ord=2: x.dtype, _setup(True), _norm_backward,
)

_Dims = typing.Union[int, typing.Sequence[int], None]


def _dims(dim: _Dims) -> typing.Sequence[int] | None:
    if dim is None:
        return None
    if isinstance(dim, int):
        return [dim]
    if isinstance(dim, (list, tuple)) and all(isinstance(each, int) for each in dim):
        return dim
    raise TypeError(f"dim is {dim!r}; allowed are an int, a list or tuple of ints, and None")


def sum(x: torch.Tensor, dim: _Dims = None, keepdim: bool = False, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    """Return the sum, as torch.sum does: of x's type for floats, int64 for integers and bool, or dtype."""
    return _sum(x, _dims(dim), keepdim, dtype)


def mean(x: torch.Tensor, dim: _Dims = None, keepdim: bool = False) -> torch.Tensor:
    """Return the mean of floats, as torch.mean does."""
    return _mean(x, _dims(dim), keepdim)


def amax(x: torch.Tensor, dim: _Dims = None, keepdim: bool = False) -> torch.Tensor:
    """Return the largest element, as torch.amax does; equal ones share the gradient."""
    return _amax(x, _dims(dim), keepdim)


def amin(x: torch.Tensor, dim: _Dims = None, keepdim: bool = False) -> torch.Tensor:
    """Return the smallest element, as torch.amin does; equal ones share the gradient."""
    return _amin(x, _dims(dim), keepdim)


def norm(x: torch.Tensor, ord: int = 2, dim: _Dims = None, keepdim: bool = False) -> torch.Tensor:
    """Return the vector norm of floats for ord 1 or 2, as torch.linalg.vector_norm does."""
    if ord not in (1, 2):
        raise redtune.InputError(f"ord is {ord!r}; allowed are 1 and 2")
    return _norm(x, _dims(dim), keepdim, int(ord))


def _of_floats(function: typing.Callable) -> typing.Callable:
    """Return the function, which is then called for floats only: PyTorch refuses integers."""

    def checked(x, *arguments, **options):
        if not x.dtype.is_floating_point:
            raise redtune.UnsupportedError("left to PyTorch")
        return function(x, *arguments, **options)

    return checked


def _extreme_of_all(function: typing.Callable) -> typing.Callable:
    """Return a function for torch.max and torch.min, which with other arguments return indices or compare two tensors."""
    return lambda x: function(x)


_REPLACED = {
    torch.sum: sum,
    torch.Tensor.sum: sum,
    torch.mean: _of_floats(mean),
    torch.Tensor.mean: _of_floats(mean),
    torch.amax: amax,
    torch.Tensor.amax: amax,
    torch.amin: amin,
    torch.Tensor.amin: amin,
    torch.max: _extreme_of_all(amax),
    torch.Tensor.max: _extreme_of_all(amax),
    torch.min: _extreme_of_all(amin),
    torch.Tensor.min: _extreme_of_all(amin),
    torch.linalg.vector_norm: _of_floats(norm),
}


class enable(TorchFunctionMode):
    """A context manager in which PyTorch's functions are computed by redtune where it can.

    Replaced are sum, mean, amax, amin, max and min without a dimension, also as methods, and torch.linalg.vector_norm of CUDA
    tensors. Calls with arguments, types or axes that redtune has not go to PyTorch, as all others do.
    """

    def __torch_function__(self, function, types, arguments=(), options=None):
        options = options or {}
        replacement = _REPLACED.get(function)
        if replacement is not None and arguments and isinstance(arguments[0], torch.Tensor) and arguments[0].is_cuda:
            try:
                return replacement(*arguments, **options)
            except (TypeError, IndexError, redtune.Error):
                pass  # PyTorch computes it, or refuses it with its own words
        return function(*arguments, **options)
