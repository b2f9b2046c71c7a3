"""Look-ups of the best known configuration. They need no GPU and no driver."""

from __future__ import annotations

import dataclasses
import functools
import os
import re
import typing

from . import _core, _dtypes
from ._errors import InputError, NotFoundError

_OPERATORS = {"prod": "product", "vdot": "dot", "norm": "l2_norm"}
_TYPES = {
    "bool": "u8", "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32",
    "int64": "i64", "uint64": "u64", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
}


def operator_name(op: str) -> str:
    """Return the library's name of an operator that is given by this name or by that of a function of the package."""
    return _OPERATORS.get(op, op)


def type_name(dtype: typing.Any) -> str:
    """Return the library's name ("f32") of a dtype in any notation."""
    name = _dtypes.name_of(dtype)
    return _TYPES.get(name, name)


def count(n: int | str) -> int:
    """Return a number of elements that is given as a number or as text ("16Mi")."""
    if isinstance(n, str):
        return _core.parse_size(n)
    if n < 0:
        raise InputError(f"n is {n}, and must not be negative")
    return n


@dataclasses.dataclass(frozen=True, slots=True)
class Match:
    """The best known configuration for a reduction, and where it comes from. None stands for what is not known."""

    op: str  #: operator that was asked for: "sum"
    dtype: str  #: type of the input's elements: "f32"
    n: int  #: number of elements that was asked for
    device: str  #: name of the device that was asked for
    regime: str  #: "cold", "warm" or "back_to_back"
    shape: str  #: "whole", "rows:LENGTH" or "columns:N"
    accumulator: str  #: type of partial results
    output: str  #: type of a result
    determinism: str  #: reproducibility that was asked for: "any" or "run_to_run"
    family: str  #: name of the kernel family: "tile_per_block"
    parameters: dict[str, int | float | str]  #: the family's parameters: {"block": 256, ...}
    match: str  #: rung of the look-up: "exact", "between", "beyond", "similar_problem", ... (docs/lookup.md)
    expected_us: float | None  #: time of one call in microseconds; None if it was measured on another device or not at all
    gb_per_s: float | None  #: bytes of all input arrays / expected_us, in 1e9 bytes per second
    grid: int  #: blocks of the first launch
    block: int  #: threads of one of its blocks
    shared_bytes: int  #: dynamic shared memory of one of its blocks
    launches: int  #: number of kernel launches
    workspace_bytes: int  #: device memory that a call needs besides input and output
    deterministic: bool  #: whether every call on the same input gives the same bits
    tuned_n: int | None  #: size that the configuration was tuned for; None: a rule of thumb
    tuned_device: str | None  #: device that it was tuned on
    tuned_op: str | None  #: operator that it was tuned for
    tuned_dtype: str | None  #: input type that it was tuned for
    measured_at: str | None  #: time of the measurement in ISO 8601, UTC
    units: int | None  #: number of GPUs of the device that the choice rests on
    spread: float | None  #: largest ratio of its time to the best on one of these GPUs; None: one GPU
    regret: float | None  #: median loss that was measured for look-ups between tuned sizes: 0.01 is 1 %; None: exact
    largest_regret: float | None  #: the largest such loss
    stale: list[str]  #: what differs from the software of the measurement: "code", "driver", "nvrtc"


def _words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def choose_device(catalog: _core.Catalog, device: str | int | None) -> str | int:
    """Return the full name or the number of the device that an argument names; see best()."""
    if isinstance(device, int):
        return device
    tuned = catalog.devices()
    if device is None:
        if _core.gpu_names():
            return 0
        if len(tuned) == 1:
            return tuned[0]
        raise InputError(f"there is no GPU here; name a device: {', '.join(tuned) or 'none was tuned'}")
    for names in (tuned, _core.well_known_names()):
        if device in names:
            return device
        found = [name for name in names if _words(device) and _words(device) in _words(name)]
        if len(found) > 1:
            raise InputError(f"'{device}' is a part of several devices' names: {', '.join(found)}; give the whole name")
        if found:
            return found[0]
    known = ", ".join(dict.fromkeys([*tuned, *_core.well_known_names()]))
    raise InputError(f"redtune knows no device '{device}'; known are {known}")


class Catalog:
    """The winners that ship with the package and those of a database of your own, as they are when it is made.

    Look-ups need no GPU. Any number of threads may use a catalog.

    user_database: the file with your own results; default: that of the redtune program (`redtune db path`). A file that
    does not exist has no results. Raises DatabaseError if it is not a redtune database.
    """

    def __init__(self, user_database: str | os.PathLike[str] | None = None) -> None:
        self._core = _core.Catalog(None if user_database is None else os.fspath(user_database))

    def best(
        self,
        op: str,
        dtype: typing.Any,
        n: int | str,
        device: str | int | None = None,
        *,
        regime: str = "cold",
        shape: str = "whole",
        accumulator: typing.Any = None,
        output: typing.Any = None,
        determinism: str = "any",
        max_workspace_bytes: int | None = None,
        allow_pdl: bool = True,
        allow_forward_progress: bool = True,
        match: typing.Sequence[str] = (),
    ) -> Match:
        """Return the best known configuration; redtune.best() has the parameters."""
        found = self._core.find(
            operator_name(op),
            type_name(dtype),
            count(n),
            choose_device(self._core, device),
            regime,
            shape,
            None if accumulator is None else type_name(accumulator),
            None if output is None else type_name(output),
            determinism,
            max_workspace_bytes,
            allow_pdl,
            allow_forward_progress,
            list(match),
        )
        if isinstance(found, str):
            raise NotFoundError(found)
        return Match(**found)

    def devices(self) -> list[str]:
        """Return the names of the devices that have winners, sorted."""
        return self._core.devices()

    def problems(self, device: str) -> list[dict[str, str]]:
        """Return the problems that have winners for a device: op, dtype, accumulator, output, shape, determinism."""
        return self._core.problems(choose_device(self._core, device))

    def tuned_sizes(
        self,
        op: str,
        dtype: typing.Any,
        device: str,
        *,
        regime: str = "cold",
        shape: str = "whole",
        accumulator: typing.Any = None,
        output: typing.Any = None,
    ) -> list[int]:
        """Return the numbers of elements that were tuned, in ascending order."""
        return self._core.tuned_sizes(
            operator_name(op),
            type_name(dtype),
            choose_device(self._core, device),
            regime,
            shape,
            None if accumulator is None else type_name(accumulator),
            None if output is None else type_name(output),
        )

    def reload(self) -> None:
        """Read the files again, after a tune() for example. Other threads may look up meanwhile."""
        self._core.reload()


@functools.cache
def shared_catalog() -> Catalog:
    """Return the catalog of best(), which the process opens once."""
    return Catalog()


def best(
    op: str,
    dtype: typing.Any,
    n: int | str,
    device: str | int | None = None,
    *,
    regime: str = "cold",
    shape: str = "whole",
    accumulator: typing.Any = None,
    output: typing.Any = None,
    determinism: str = "any",
    max_workspace_bytes: int | None = None,
    allow_pdl: bool = True,
    allow_forward_progress: bool = True,
    match: typing.Sequence[str] = (),
) -> Match:
    """Return the best known configuration for a reduction of n elements. It needs no GPU.

    op: operator, "sum", "argmax", "dot", ...
    dtype: type of the elements, "f32", "float32" or a dtype of NumPy, CuPy or PyTorch
    n: number of elements of the whole array or matrix, also as text: "16Mi"
    device: name of a device or a part of it ("h200"), or the number of a GPU of this machine. Default: the first GPU of
        this machine, or without one the only tuned device.
    regime: "cold" (input in device memory), "warm" (in L2) or "back_to_back"
    shape: "whole", "rows:LENGTH" for one result for each row, or "columns:N" for one for each column of a matrix
    accumulator, output: types of partial results and of a result; default: those of the operator
    determinism: "any", or "run_to_run" for the same bits at every call
    max_workspace_bytes, allow_pdl, allow_forward_progress, match: limits, as in docs/lookup.md

    Raises InputError for a name that is not known, with the known ones; NotFoundError if the limits leave no
    configuration; DatabaseError if a database cannot be read. The databases are read once; Catalog reads them anew.
    """
    return shared_catalog().best(
        op, dtype, n, device, regime=regime, shape=shape, accumulator=accumulator, output=output, determinism=determinism,
        max_workspace_bytes=max_workspace_bytes, allow_pdl=allow_pdl, allow_forward_progress=allow_forward_progress,
        match=match,
    )
