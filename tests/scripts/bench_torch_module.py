"""Loads scripts/bench-torch as the module `bench`, for its tests."""
import importlib.machinery
import importlib.util
import pathlib
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/bench-torch"
LOADER = importlib.machinery.SourceFileLoader("bench_torch", str(SCRIPT))
sys.dont_write_bytecode = True  # No compiled file beside the script.
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_torch", LOADER))
LOADER.exec_module(bench)
