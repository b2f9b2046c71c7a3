"""When calls search for NVRTC. They run in processes of their own, because a process searches only once."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.simulated

PROGRAM = """
import pathlib, sys
from simulated import array_sum, floats
from arrays import InterfaceArray

values = floats(5000)
assert array_sum(InterfaceArray(values), ()) == values.sum()
print("redtune._nvrtc" in sys.modules, "libnvrtc" in pathlib.Path("/proc/self/maps").read_text())
"""


def run(**variables):
    """Sum an array in a process; return whether it looked for NVRTC in Python's packages, and whether it opened NVRTC."""
    paths = [os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": ":".join(paths), "REDTUNE_DB": "/nonexistent/redtune.db", **variables}
    ended = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return [word == "True" for word in ended.stdout.split()]


def test_a_compiled_kernel_needs_no_nvrtc(tmp_path):
    compiled = str(tmp_path / "compiled")
    assert run(REDTUNE_CACHE=compiled, REDTUNE_SYSTEM_CACHE="/nonexistent") == [True, True]
    missing = {"REDTUNE_NVRTC": "/nonexistent/libnvrtc.so"}
    assert run(REDTUNE_CACHE=str(tmp_path / "empty"), REDTUNE_SYSTEM_CACHE=compiled, **missing) == [False, False]
    assert run(REDTUNE_CACHE=compiled, REDTUNE_SYSTEM_CACHE="/nonexistent") == [False, False]
