"""Runs the redtune program's sweeps."""

from __future__ import annotations

import collections
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import typing

from . import _lookup, _program
from ._errors import DeviceError, Error, InputError

_ERRORS = {2: InputError, 3: DeviceError}  # by exit code
_FINISHED_WITH_FAILURES = 5
_INTERRUPTED = 130
_COUNTS = re.compile(r"\[(\d+)/(\d+), ")  # in a line of progress: measured and all candidates


def _words(values: typing.Any, convert: typing.Callable[[typing.Any], str]) -> list[str]:
    if isinstance(values, (list, tuple)):
        return [convert(value) for value in values]
    return [convert(values)]


def arguments(op, dtype, sizes, options: dict[str, typing.Any]) -> list[str]:
    """Return the program's arguments. Options are named as the program's, with _ in place of -."""
    command = ["tune", "--op", _lookup.operator_name(op), "--dtype", *_words(dtype, _lookup.type_name)]
    command += ["--size", ",".join(_words(sizes, str)), "--format", "json"]
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            command.append(option)
        elif value is not None and value is not False:
            command += [option, *_words(value, os.fspath if name == "db" else str)]
    return command


class _Progress:
    """Shows the program's lines of progress: as a bar if tqdm is installed, else as they are."""

    def __init__(self, shown: bool) -> None:
        self._bar = None
        self._shown = shown
        if shown:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(unit="candidate", desc="redtune tune")

    def show(self, line: str) -> None:
        if self._bar is None:
            if self._shown:
                print(line, file=sys.stderr, flush=True)
            return
        counts = _COUNTS.search(line)
        if counts is None:
            self._bar.write(line, file=sys.stderr)
            return
        self._bar.total = int(counts[2])
        self._bar.set_postfix_str(" ".join(line[: counts.start()].split()), refresh=False)
        self._bar.update(int(counts[1]) - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _run(command: list[str], progress: _Progress) -> tuple[int, str, list[str]]:
    """Run the program; return its exit code, its results and its last lines of progress and messages."""
    last: collections.deque[str] = collections.deque(maxlen=20)
    # The results go to a file: a pipe that nobody reads while messages come could fill, and stop the program.
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as results,
        subprocess.Popen(
            command, env=_program.environment(), stdout=results, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process,
    ):
        interrupted = False
        while process.returncode is None:
            try:
                for line in process.stderr:
                    last.append(line.rstrip("\n"))
                    progress.show(last[-1])
                process.wait()
            except KeyboardInterrupt:
                if interrupted:
                    process.kill()
                    raise
                # A notebook interrupts this process only. If the terminal has interrupted both, the program takes the
                # second signal for the same press.
                interrupted = True
                process.send_signal(signal.SIGINT)
        results.seek(0)
        return (_INTERRUPTED if interrupted else process.returncode), results.read(), list(last)


def tune(
    op: str,
    dtype: typing.Any,
    sizes: int | str | typing.Sequence[int | str],
    *,
    device: str | None = None,
    db: str | os.PathLike[str] | None = None,
    effort: str | None = None,
    regime: str | typing.Sequence[str] | None = None,
    shape: str | None = None,
    progress: bool = True,
    **options: typing.Any,
) -> list[dict[str, typing.Any]]:
    """Measure configurations on a GPU, store the results, and return the winners, one dict for each size and regime.

    op, dtype: as for best(); dtype may be a list
    sizes: numbers of elements: 4096, "16Mi", "1Ki..1Gi" (powers of two), or a list of these
    device: number or part of the name of a GPU, or "replay:NAME". Default: the first GPU; without one, the recording that
        ships is replayed.
    db: database file; default: that of best(), which sees the new winners in a new Catalog
    effort: "exhaustive" (default), "thorough", "standard" or "quick"
    regime: "cold" (default), "warm", "back_to_back", or a list
    shape: "whole" (default), "rows:LENGTH" or "columns:N"
    progress: whether to show the progress on stderr, as a bar if tqdm is installed
    options: further options of `redtune tune`, with _ in place of -: between=0, checks=0, determinism="run_to_run"

    Ctrl-C stops the sweep, keeps what was measured, and raises KeyboardInterrupt; the same call continues it. Raises
    InputError for a wrong argument, DeviceError without a usable device, Error if the sweep fails; a candidate that fails
    does not fail the sweep.
    """
    options = {"device": device, "db": db, "effort": effort, "regime": regime, "shape": shape, **options}
    shown = _Progress(progress)
    try:
        code, results, last = _run([_program.path(), *arguments(op, dtype, sizes, options)], shown)
    finally:
        shown.close()
    if code == _INTERRUPTED:
        raise KeyboardInterrupt
    if code not in (0, _FINISHED_WITH_FAILURES):
        raise _ERRORS.get(code, Error)("\n".join(last) or f"redtune tune ended with exit code {code}")
    return json.loads(results)
