"""Loads scripts as modules, for their tests."""
import importlib.machinery
import importlib.util
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def load_script(name):
    """Returns the script scripts/NAME as a module."""
    sys.dont_write_bytecode = True  # No compiled file beside the script.
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))  # for the modules that the script imports
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(FOLDER / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
