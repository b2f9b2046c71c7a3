"""scripts/bench-first-call, with a module that stands in for PyTorch, over the simulated driver."""

import csv
import io
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "scripts"))

from script_module import load_script  # noqa: E402  of the scripts' tests

bench = load_script("bench-first-call")

STEPS = ["import torch", "first tensor (CUDA context)", "import redtune", "first call", "of it: open the catalog",
         "of it: find NVRTC", "of it: compile", "second call", "first call of torch.sum", "redtune in total"]

TORCH = """
import types
import numpy

__version__ = "0.0"
class Tensor:
    requires_grad = False

    def __init__(self, values):
        self.values, self.dtype, self.shape = values, Type(values.dtype.name), values.shape
        self.device = types.SimpleNamespace(type="cuda", index=0)

    def __float__(self):
        return float(self.values)

    def data_ptr(self):
        return self.values.ctypes.data

    def stride(self):
        return (1,) * self.values.ndim

class Type:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return f"torch.{self.name}"

float32 = Type("float32")

class Stream:
    cuda_stream = 0

def ones(n, dtype, device):
    return Tensor(numpy.ones(n, dtype.name))

def empty(shape, dtype, device):
    return Tensor(numpy.empty(shape, dtype.name))

def sum(x):
    return Tensor(x.values.sum())

cuda = types.SimpleNamespace(current_stream=lambda device: Stream, synchronize=lambda: None,
                             get_device_capability=lambda: (9, 0), get_device_name=lambda: "a stand-in")
"""


@pytest.mark.simulated
def test_processes_over_the_simulated_driver(tmp_path, monkeypatch, capsys):
    (tmp_path / "torch.py").write_text(TORCH)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    file = tmp_path / "times.csv"
    out = io.StringIO()
    assert bench.main(["--size", "4Ki", "--processes", "1", "--csv", str(file)], out=out) == 0, capsys.readouterr().err
    assert "redtune in total" in out.getvalue()
    assert "PyTorch 0.0, a stand-in, medians of 1 processes" in capsys.readouterr().err
    rows = list(csv.DictReader(file.open(newline="")))
    assert [row["step"] for row in rows] == STEPS
    for row in rows:
        only_when_compiling = row["step"] in ("of it: find NVRTC", "of it: compile")
        expected = ["empty_ms"] if only_when_compiling else ["shipped_ms", "empty_ms", "own_ms"]
        assert [name for name, value in row.items() if name != "step" and value] == expected


@pytest.mark.simulated
def test_a_process_that_fails_is_an_error_with_its_words(tmp_path, monkeypatch, capsys):
    (tmp_path / "torch.py").write_text("raise ImportError('no PyTorch here')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    assert bench.main([]) == 1
    assert "no PyTorch here" in capsys.readouterr().err


def test_a_process_finds_only_the_cache_of_its_column(tmp_path, monkeypatch):
    monkeypatch.setenv("REDTUNE_SYSTEM_CACHE", "/mine")
    machine = bench.Machine(tmp_path, 1)
    folders = [machine.user_cache(cache) for cache in ("empty", "empty", "shipped", "own", "own")]
    assert len(set(folders)) == 4 and folders[3] == folders[4], "only the user's own cache is there again"
    assert "REDTUNE_SYSTEM_CACHE" not in machine.environment("shipped", tmp_path)
    assert machine.environment("own", tmp_path)["REDTUNE_SYSTEM_CACHE"] == str(tmp_path / "none")
    assert machine.environment("own", tmp_path)["REDTUNE_DB"] == str(tmp_path / "none.db")


FIRST_CALLS = {"shipped": 12, "empty": 70, "own": 10}


def process(cache, compiled=False):
    """Return what a process of a column returns."""
    times = {"import torch": 900, "tensor": 200, "import redtune": 20, "first call": FIRST_CALLS[cache], "second call": 0.1,
             "first call of torch.sum": 5, "open the catalog": 2}
    if cache != "empty":
        times["find NVRTC"] = 4
    return {"times": times, "device": "H", "versions": "v", "compiled": compiled}


class Clock:
    """Machines whose processes take ten seconds, and the clock that they move."""

    def __init__(self, processes_until_interrupt=None, compiled=False):
        self.now, self.left, self.compiled = 0, processes_until_interrupt, compiled

    def machine(self, folder, size):
        return self

    def run(self, cache):
        if self.left == 0:
            raise KeyboardInterrupt
        if self.left is not None:
            self.left -= 1
        self.now += 10
        return process(cache, self.compiled and cache == "shipped")


def run(monkeypatch, clock, *arguments):
    """Run the script with a clock; return the exit code and what it printed to stdout."""
    monkeypatch.setattr(bench.time, "monotonic", lambda: clock.now)
    out = io.StringIO()
    return bench.main(list(arguments), machine=clock.machine, out=out), out.getvalue()


@pytest.mark.parametrize(("arguments", "seconds"), [([], 70), (["--seconds", "100"], 100), (["--seconds", "1"], 40),
                                                    (["--seconds", "1000", "--processes", "4"], 130)])
def test_no_round_begins_that_would_end_too_late(monkeypatch, arguments, seconds):
    clock = Clock()
    assert run(monkeypatch, clock, *arguments)[0] == 0
    assert clock.now == seconds, "one process before the rounds, and three in each round"


def test_an_interrupt_prints_what_there_is(monkeypatch, capsys):
    code, out = run(monkeypatch, Clock(processes_until_interrupt=3), "--format", "csv")
    assert code == 130
    rows = {row["step"]: row for row in csv.DictReader(io.StringIO(out))}
    assert rows["first call"] == {"step": "first call", "shipped_ms": "12", "empty_ms": "70", "own_ms": ""}
    assert "medians of 0 to 1 processes" in capsys.readouterr().err
    assert run(monkeypatch, Clock(processes_until_interrupt=1))[0] == 130
    assert "before the first time" in capsys.readouterr().err


def test_a_package_without_the_kernel_is_noted(monkeypatch, capsys):
    run(monkeypatch, Clock(), "--processes", "1")
    assert "no kernel" not in capsys.readouterr().err
    run(monkeypatch, Clock(compiled=True), "--processes", "1")
    assert "The package has no kernel for this call" in capsys.readouterr().err


def test_compiling_is_the_rest_of_the_difference_to_a_filled_cache():
    rows = {row["step"]: row for row in bench.rows_of({cache: [process(cache)] for cache in bench.CACHES})}
    assert list(rows) == STEPS
    assert rows["of it: find NVRTC"] == {"step": "of it: find NVRTC", "shipped_ms": "", "empty_ms": 4, "own_ms": ""}
    assert rows["of it: compile"]["empty_ms"] == 56
    assert rows["redtune in total"]["empty_ms"] == 90 and rows["redtune in total"]["own_ms"] == 30


def test_medians_are_those_of_the_processes_that_have_the_step():
    runs = [{"times": {"first call": time}} for time in (3, 100, 5)] + [{"times": {"find NVRTC": 1}}]
    assert bench.medians(runs) == {"first call": 5, "find NVRTC": 1}


@pytest.mark.parametrize("arguments", [["--processes", "0"], ["--size", "1K"]])
def test_arguments_that_are_not_allowed(arguments, capsys):
    try:
        code = bench.main(arguments)
    except SystemExit as error:
        code = error.code
    assert code == 2
    assert capsys.readouterr().err
