#!/usr/bin/env python3
"""Runs the commands and the Python of docs/tutorial.md, as they are on the page, in a folder that looks like a clone.

Usage: tutorial_test.py BUILD [PYTHON PACKAGES]
BUILD is the build folder, whose program takes the place of scripts/redtune. Without PYTHON, which must find the package
redtune in the folder PACKAGES, the page's Python is only compiled. No GPU is used, also on a machine that has one. Each
line of a text block must be in the output of the block before it. The page's report is left out if the build has no charts.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = PROJECT / "docs/tutorial.md"


def fail(message):
    sys.exit(f"FAILED: {message}")


def make_clone(clone, build):
    (clone / "scripts").mkdir(parents=True)
    (clone / "build").mkdir()
    start = clone / "scripts/redtune"
    start.write_text(f'#!/bin/sh\nexec "{build}/redtune" "$@"\n', encoding="utf-8")
    start.chmod(0o755)
    (clone / "build/release").symlink_to(build)
    (clone / "examples").symlink_to(PROJECT / "examples")


def main(build, python="", packages=""):
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if {language for language, _ in blocks} != {"sh", "python", "text"}:
        fail(f"{PAGE} must have blocks of sh, python and text, and no other ones")
    build = pathlib.Path(build).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        clone = scratch / "clone"
        make_clone(clone, build)
        data = build / "share/redtune"
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("REDTUNE_", "XDG_"))}
        environment |= {"HOME": str(scratch), "REDTUNE_SYSTEM_DATA": str(data), "CUDA_VISIBLE_DEVICES": ""}
        # Without -G, CMake takes make, which scripts/install-dependencies does not install. CMake refuses this generator, so
        # that a command of the page without -G fails also on a machine that has make.
        environment["CMAKE_GENERATOR"] = "the page must name a generator with -G"

        def run(*command):
            ended = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)
            if ended.returncode != 0:
                fail(f"{command[-1]}\nended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
            return ended.stdout

        commands = 0
        output = None
        for language, text in blocks:
            if language == "sh":
                if not (data / "vega.js").exists():
                    text = re.sub(r"^\./scripts/redtune report .*\n", "", text, flags=re.MULTILINE)
                output = run("bash", "-euxc", text)
                commands += len(text.splitlines())
            elif language == "python":
                compile(text, str(PAGE), "exec")
                output = None
                if python:
                    environment["PYTHONPATH"] = packages
                    output = run(python, "-c", text)
            elif output is not None:
                for line in text.splitlines():
                    if line not in output.splitlines():
                        fail(f"the page shows the line\n{line}\nwhich is not in the output\n{output}")
        if (data / "vega.js").exists() and not (clone / "report.html").exists():
            fail("no report was written")
    print(f"{commands} commands ran" + ("" if python else "; the Python was compiled only"))


if __name__ == "__main__":
    main(*sys.argv[1:])
