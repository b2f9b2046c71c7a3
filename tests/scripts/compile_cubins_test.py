#!/usr/bin/env python3
"""Tests cmake/CompileCubins.cmake with a program that stands in for redtune."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "CompileCubins.cmake"
PROGRAM = """#!/bin/sh
echo "$REDTUNE_CUDA_LIB: $*" >>{folder}/calls
mkdir -p {folder}/data/cubins
exit {code}
"""


class CompileCubins(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "data").mkdir()
        (self.folder / "lib").mkdir()

    def compile(self, code, need_nvrtc, environment=None):
        """Runs the script with a program that ends with this exit code."""
        program = self.folder / "redtune"
        program.write_text(PROGRAM.format(folder=self.folder, code=code))
        program.chmod(0o755)
        variables = {"PROGRAM": program, "DATA": self.folder / "data", "CALLS": "--arch sm_90 --op sum;--arch sm_80",
                     "NVRTC_FOLDER": self.folder / "lib", "NEED_NVRTC": need_nvrtc}
        definitions = [word for name, value in variables.items() for word in ("-D", f"{name}={value}")]
        return subprocess.run(["cmake", *definitions, "-P", SCRIPT], capture_output=True, text=True, check=False,
                              env={"PATH": os.environ["PATH"], **(environment or {})})

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def has_cubins(self):
        return (self.folder / "data" / "cubins").exists()

    def test_every_call_fills_the_folder(self):
        done = self.compile(0, "ON")
        self.assertEqual(done.returncode, 0, done.stderr)
        options = f"warm --no-device-count --folder {self.folder}/data/cubins"
        self.assertEqual(self.calls(), [f": {options} --arch sm_90 --op sum", f": {options} --arch sm_80"])
        self.assertTrue(self.has_cubins())

    def test_nvrtc_beside_the_headers_is_taken_unless_one_is_named(self):
        (self.folder / "lib" / "libnvrtc.so.13").touch()
        self.compile(0, "ON")
        self.compile(0, "ON", {"REDTUNE_CUDA_LIB": "/mine"})
        self.compile(0, "ON", {"REDTUNE_NVRTC": "/mine"})
        self.assertEqual([call.split(":")[0] for call in self.calls()[::2]], [f"{self.folder}/lib", "/mine", ""])

    def test_without_nvrtc_nothing_is_compiled(self):
        done = self.compile(3, "OFF")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.calls()), 1)
        self.assertFalse(self.has_cubins())
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("No kernels are compiled ahead", done.stderr)

    def test_what_needs_nvrtc_fails_without(self):
        self.assertNotEqual(self.compile(3, "ON").returncode, 0)

    def test_a_kernel_that_does_not_compile_is_an_error(self):
        for need_nvrtc in ("ON", "OFF"):
            self.assertNotEqual(self.compile(5, need_nvrtc).returncode, 0)


if __name__ == "__main__":
    unittest.main()
