"""What pyproject.toml makes scikit-build-core do, and the kernels that a wheel ships."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from scikit_build_core.settings.skbuild_read_settings import SettingsReader

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def definitions():
    """Return the definitions that CMake gets when a wheel is built."""
    return SettingsReader.from_file(PROJECT / "pyproject.toml", state="wheel").settings.cmake.define


@pytest.mark.parametrize("folder", [None, "/cuda/include"])
def test_a_wheel_has_its_settings_wherever_the_cuda_headers_are(monkeypatch, folder):
    monkeypatch.delenv("REDTUNE_CUDA_INCLUDE", raising=False)
    expected = {"REDTUNE_PYTHON": "ON", "REDTUNE_PORTABLE": "ON", "REDTUNE_TESTS": "OFF", "REDTUNE_INSTALL": "OFF",
                "REDTUNE_CUBINS_NEED_NVRTC": "OFF"}
    if folder is not None:
        monkeypatch.setenv("REDTUNE_CUDA_INCLUDE", folder)
        expected["REDTUNE_CUDA_INCLUDE"] = folder
    found = definitions()
    own = {name: value for name, value in found.items() if name.startswith("REDTUNE_")}
    assert {name: value for name, value in own.items() if not name.startswith("REDTUNE_CUBIN_")} == expected
    assert ("REDTUNE_CUDA_INCLUDE" in found) == (folder is not None)
