#!/usr/bin/env python3
"""Checks the code on README.md and docs/ that is not run elsewhere: blocks of Python use names and arguments that the package
redtune has, and the declarations of emitted code are those that `redtune emit` writes. tests/snippets compiles the C++.

Usage: page_code_test.py REDTUNE: the built program
"""

import ast
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = PROJECT / "python/redtune"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "tests/snippets"))
import collect_snippets  # noqa: E402

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def definitions(*files):
    """The functions and classes of modules, by their names: several for a function with overloads."""
    found = {}
    for file in files:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.setdefault(node.name, []).append(node)
    return found


def exported(package):
    """The names that the package's __init__ exports."""
    for node in ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


MODULES = {
    "redtune": {name: nodes for name, nodes in
                definitions(PACKAGE / "_core.pyi", *PACKAGE.glob("_*.py")).items() if name in exported(PACKAGE)},
    "redtune.torch": definitions(PACKAGE / "torch.py"),
    "redtune.plot": definitions(PACKAGE / "plot.py"),
}


def accepts(function, call):
    """Whether a function has the arguments of a call."""
    if isinstance(function, ast.ClassDef):
        return True
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    names = {argument.arg for argument in [*positional, *arguments.kwonlyargs]}
    has_keywords = arguments.kwarg or all(keyword.arg in names for keyword in call.keywords)
    return has_keywords and (arguments.vararg or len(call.args) <= len(positional))


def faults(text):
    """What a block of Python uses that the package does not have."""
    tree = ast.parse(text)
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    result = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or ast.unparse(node.value) not in MODULES:
            continue
        name = ast.unparse(node)
        if name in MODULES:
            continue
        known = MODULES[ast.unparse(node.value)].get(node.attr)
        if known is None:
            result.append(f"there is no {name}")
        elif id(node) in calls and not any(accepts(each, calls[id(node)]) for each in known):
            result.append(f"{name} has no such arguments: {ast.unparse(calls[id(node)])}")
    return result


def emitted(program, *options):
    """Code that the program emits from the shipped winners of the H200, with white space as single spaces."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "code"
        command = [program, "emit", "--op", "sum", "--dtype", "f32", "--device", "h200", "--size", "1Ki", "--name", "fast_sum"]
        ended = subprocess.run([*command, *options, "-o", file], capture_output=True, text=True, check=False,
                               env=os.environ | {"REDTUNE_DB": str(pathlib.Path(folder) / "none.db")})
        return " ".join(file.read_text(encoding="utf-8").split()) if ended.returncode == 0 else ended.stderr


class PageCode(unittest.TestCase):
    program = ""

    def test_python_has_the_names_of_the_package(self):
        count, found = 0, []
        for page in collect_snippets.pages():
            for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
                count += 1
                found += [f"{page.relative_to(PROJECT)}: {each}" for each in faults(block[1])]
        self.assertEqual(found, [])
        self.assertGreaterEqual(count, 5)

    def test_wrong_python_is_found(self):
        self.assertEqual(faults("redtune.summ(x)\nredtune.sum(x, axes=0)\nredtune.torch.sum(x, dim=1)\nredtune.plot.bar()\n"
                                "redtune.best('sum', 'f32', 1, 'h200', 2, 3)\nredtune.sum(x, axis=0)\n"), [
            "there is no redtune.summ",
            "redtune.sum has no such arguments: redtune.sum(x, axes=0)",
            "there is no redtune.plot.bar",
            "redtune.best has no such arguments: redtune.best('sum', 'f32', 1, 'h200', 2, 3)",
        ])

    def test_emitted_code_has_the_declarations_of_its_page(self):
        code = {"cpp": emitted(self.program), "c": emitted(self.program, "--format", "c")}
        count = 0
        for _, language, text in collect_snippets.blocks(PROJECT / "docs/emit.md"):
            if not collect_snippets.is_declaration(language, text):
                continue
            if "NVRTC" in code[language] and "#" not in code[language]:
                continue  # the machine code of a C file needs NVRTC
            for declaration in re.findall(r"^ *\w[^;{}]*\([^;]*\);", re.sub(r"/\*.*?\*/", "", text), re.MULTILINE):
                count += 1
                self.assertIn(" ".join(declaration.split()).rstrip(";"), code[language])
        self.assertGreaterEqual(count, 2)


if __name__ == "__main__":
    PageCode.program = sys.argv.pop(1)
    sys.exit(unittest.main())
