"""The kernels that a wheel ships (REDTUNE_CUBIN_PROBLEMS in pyproject.toml) are those that the functions load."""

import os
import pathlib
import subprocess
import sys
import tomllib

import pytest

from redtune import _program

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FUNCTIONS = {"product": "prod"}
DTYPES = {"f16": "float16", "f32": "float32", "f64": "float64", "i32": "int32", "i64": "int64"}

PROGRAM = """
import sys
import numpy
import redtune
from arrays import ExchangeArray

for call in sys.argv[1:]:
    function, dtype = call.split(":")
    getattr(redtune, function)(ExchangeArray(numpy.ones(4096, dtype)))
"""


def shipped():
    """Return the definitions of cmake/Cubins.cmake for a wheel: operator, types, and type of the results or nothing."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    for problem in settings["tool"]["scikit-build"]["cmake"]["define"]["REDTUNE_CUBIN_PROBLEMS"]:
        op, types, *output = problem.split(":")
        yield op, types.split(","), output


@pytest.mark.simulated
def test_the_functions_find_them(tmp_path):
    folder = tmp_path / "cubins"
    environment = {**os.environ, "REDTUNE_DB": "/nonexistent/redtune.db", "REDTUNE_CACHE": str(tmp_path / "mine")}
    calls = []
    for op, types, output in shipped():
        options = ["--op", op, "--dtype", *types, *(["--output", *output] if output else [])]
        subprocess.run([_program.path(), "warm", "--device", "h200", "--shape", "whole", "--no-device-count", "--regime", "cold",
                        "--size", "4096", "--folder", str(folder), *options], env=environment, check=True, capture_output=True)
        # NumPy has no bfloat16.
        calls += [f"{FUNCTIONS.get(op, op)}:{DTYPES[name]}" for name in types if name != "bf16"]
    environment |= {"REDTUNE_SYSTEM_CACHE": str(folder), "REDTUNE_NVRTC": "/nonexistent/libnvrtc.so",
                    "PYTHONPATH": os.path.dirname(__file__) + ":" + os.environ.get("PYTHONPATH", "")}
    ended = subprocess.run([sys.executable, "-c", PROGRAM, *calls], env=environment, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
