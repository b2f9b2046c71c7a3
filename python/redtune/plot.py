"""Plots of what the databases hold. They need matplotlib."""

from __future__ import annotations

import typing

from . import _core, _lookup
from ._database import Database, database
from ._errors import NotFoundError


def _axes(ax: typing.Any) -> typing.Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("redtune.plot needs matplotlib (pip install matplotlib)") from error
    return pyplot.subplots()[1]


def _rows(view: str, data: Database | None, op: str, dtype: typing.Any, equal: dict[str, typing.Any]) -> list[dict]:
    wanted = {"op": _lookup.operator_name(op), "dtype": _lookup.type_name(dtype), **equal}
    rows = (data or database()).rows(view, **{name: value for name, value in wanted.items() if value is not None})
    if not rows:
        asked = ", ".join(f"{name}={value}" for name, value in wanted.items() if value is not None)
        raise NotFoundError(f"no rows of {view} have {asked}; redtune.tune() makes some, database().rows() shows what is there")
    return rows


def bandwidth(
    op: str = "sum",
    dtype: typing.Any = "f32",
    *,
    device: str | None = None,
    regime: str = "cold",
    shape: str = "whole",
    determinism: str = "any",
    data: Database | None = None,
    ax: typing.Any = None,
) -> typing.Any:
    """Plot the winners' bandwidth (1e9 bytes per second) over the size (elements), a line for each device.

    device: the whole name; default: every device that was tuned
    data: the database to read; default: redtune.database()
    ax: the matplotlib axes to draw in; default: new ones

    Returns the axes. Raises NotFoundError if nothing was tuned, ImportError without matplotlib.
    """
    rows = _rows("winners", data, op, dtype, {"device": device, "regime": regime, "shape": shape, "determinism": determinism})
    ax = _axes(ax)
    for name in sorted({row["device"] for row in rows}):
        # The user's layer comes first, and takes precedence.
        points = {}
        for row in rows:
            if row["device"] == name:
                points.setdefault(row["n"], row["gb_per_s"])
        ax.plot(sorted(points), [points[n] for n in sorted(points)], marker="o", label=name)
    ax.set_xscale("log", base=2)
    ax.set_xlabel("elements")
    ax.set_ylabel("GB/s")
    ax.set_title(f"{_lookup.operator_name(op)} of {_lookup.type_name(dtype)}, {regime}")
    ax.legend()
    return ax


def heatmap(
    op: str = "sum",
    dtype: typing.Any = "f32",
    *,
    device: str | None = None,
    regime: str = "cold",
    shape: str = "whole",
    data: Database | None = None,
    ax: typing.Any = None,
) -> typing.Any:
    """Plot each family's best time at each size as a multiple of the best time there: 1 is the fastest.

    It shows the measurements that a database holds. The shipped ones have the winners only, so give the database of a
    sweep, or the recording that ships: database(file).

    The parameters and errors are those of bandwidth().
    """
    rows = _rows("measurements", data, op, dtype, {"device": device, "regime": regime, "shape": shape, "status": "ok"})
    ax = _axes(ax)
    best: dict[tuple[str, int], float] = {}
    for row in rows:
        key = (row["family"], row["n"])
        best[key] = min(best.get(key, float("inf")), row["time_us"])
    families = sorted({family for family, _ in best})
    sizes = sorted({n for _, n in best})
    fastest = {n: min(time for (_, size), time in best.items() if size == n) for n in sizes}
    ratios = [[best.get((family, n), float("nan")) / fastest[n] for n in sizes] for family in families]
    image = ax.imshow(ratios, aspect="auto", vmin=1, vmax=3, cmap="viridis_r")
    ax.set_xticks(range(len(sizes)), [_core.format_size(n) for n in sizes], rotation=90)
    ax.set_yticks(range(len(families)), families)
    ax.set_xlabel("elements")
    ax.figure.colorbar(image, ax=ax, label="time / best time at this size")
    return ax
