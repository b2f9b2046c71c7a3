"""scripts/bench-first-call, with a module that stands in for PyTorch, over the simulated driver."""

import csv
import io
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "scripts"))

from script_module import load_script  # noqa: E402  of the scripts' tests

bench = load_script("bench-first-call")

STEPS = ["import torch", "first tensor (CUDA context)", "import redtune", "first call", "of it: find NVRTC",
         "of it: open the catalog", "of it: compile", "second call", "first call of torch.sum", "redtune in total"]

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
    # A debug build takes minutes to list the kernels. Without them, these processes compile, too.
    monkeypatch.setattr(bench.Machine, "warm", lambda self, architecture: None)
    file = tmp_path / "times.csv"
    out = io.StringIO()
    assert bench.main(["--size", "4Ki", "--processes", "1", "--csv", str(file)], out=out) == 0, capsys.readouterr().err
    assert "redtune in total" in out.getvalue()
    assert "PyTorch 0.0, a stand-in, medians of 1 processes" in capsys.readouterr().err
    rows = list(csv.DictReader(file.open(newline="")))
    assert [row["step"] for row in rows] == STEPS
    for row in rows:
        expected = ["empty_ms"] if row["step"] == "of it: compile" else ["empty_ms", "system_ms", "own_ms"]
        assert [name for name, value in row.items() if name != "step" and value] == expected


@pytest.mark.simulated
def test_a_process_that_fails_is_an_error_with_its_words(tmp_path, monkeypatch, capsys):
    (tmp_path / "torch.py").write_text("raise ImportError('no PyTorch here')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    assert bench.main([]) == 1
    assert "no PyTorch here" in capsys.readouterr().err


def test_only_the_named_cache_is_filled(tmp_path):
    machine = bench.Machine(tmp_path, 1)
    owns = [machine.caches(cache)[0] for cache in ("empty", "empty", "system", "own", "own")]
    assert len(set(owns)) == 4 and owns[3] == owns[4], "a process with an empty cache has one of its own"
    assert [machine.caches(cache)[1].name for cache in bench.CACHES] == ["none", "system", "none"]
    assert machine.environment("c", "s")["REDTUNE_DB"] == str(tmp_path / "none.db")


def test_the_system_cache_is_filled_for_the_architecture(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(bench.Machine, "start", lambda self, arguments, environment, what: started.append(arguments))
    bench.Machine(tmp_path, 4096).warm("sm_90")
    assert started == [["-m", "redtune", "warm", "--arch", "sm_90", "--op", "sum", "--dtype", "f32", "--no-device-count",
                        "--size", "4096", "--folder", str(tmp_path / "system")]]


def test_compiling_is_the_difference_to_a_filled_cache():
    def times(first):
        return {"import torch": 900, "tensor": 200, "import redtune": 20, "first call": first, "second call": 0.1,
                "first call of torch.sum": 5}

    whole = {"empty": times(70), "system": times(12), "own": times(10)}
    parts = {cache: {"find NVRTC": 4, "open the catalog": 2} for cache in bench.CACHES}
    rows = {row["step"]: row for row in bench.rows_of(whole, parts)}
    assert list(rows) == STEPS
    assert rows["of it: compile"] == {"step": "of it: compile", "empty_ms": 60, "system_ms": "", "own_ms": ""}
    assert rows["redtune in total"]["empty_ms"] == 90 and rows["redtune in total"]["own_ms"] == 30


def test_medians_are_those_of_each_step():
    runs = [{"times": {"first call": time}} for time in (3, 100, 5)]
    assert bench.medians(runs) == {"first call": 5}


@pytest.mark.parametrize("arguments", [["--processes", "0"], ["--size", "1K"]])
def test_arguments_that_are_not_allowed(arguments, capsys):
    try:
        code = bench.main(arguments)
    except SystemExit as error:
        code = error.code
    assert code == 2
    assert capsys.readouterr().err
