#!/usr/bin/env python3
"""Runs the commands of redtune in the blocks of the pages, as somebody would who follows a page from top to bottom.

Usage: run_page_commands_test.py REDTUNE: the built program
Each page has a folder of its own, with a database of the user's and the files that the page names. No GPU is used, also on
a machine that has one: sweeps replay the recorded device. page_commands_test.py looks at the commands in running text.
"""

import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "tests/scripts"))
import links_test  # noqa: E402

BLOCK = re.compile(r"^ *(`{3,})(?P<language>\w*)\n(?P<text>.*?)^ *\1 *$", re.MULTILINE | re.DOTALL)
STARTS = re.compile(r"^(?:\$ )?((?:\w+=\S+ |mpirun -n \d |xzcat \S+ \| )?(?:\./scripts/)?redtune [a-z-].*)$")
# A page of changes may show what is no longer there. tutorial_test.py runs the tutorial.
LEFT_OUT = {PROJECT / "CHANGELOG.md", PROJECT / "docs/tutorial.md"}
# What commands that need a GPU end with here, by a part of the command.
EXIT_CODES = {"doctor": 3, "--device all": 3, "ladder": 3, "verify": 3, "--op max --dtype f16": 2,
              "--op argmax --dtype f16": 2}
# Replaced in commands: what stands for a value or needs an installation, and sizes that would take long.
REPLACED = {r"\bshow ID\b": "show 1", r"mpirun -n \d ": "", r"\b1Ki\.\.1Gi\b": "1Ki,1Mi"}
# Databases that pages name; cub.csv is a comparison with CUB.
DATABASES = ("user.db", "A", "B", "a.db", "b.db", "first.db", "second.db", "sweep.db")


def commands(text):
    """The lines of a page's blocks that run redtune, without their comments."""
    for block in BLOCK.finditer(text):
        if block["language"] not in ("", "sh"):
            continue
        for line in block["text"].replace("\\\n", " ").splitlines():
            if command := STARTS.match(line):
                yield re.split(r"\s#\s", command[1])[0].strip()


class PageCommands(unittest.TestCase):
    program = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        for place in ("bin", "scripts"):
            (root / place).mkdir()
            (root / place / "redtune").symlink_to(cls.program)
        # REDTUNE_CUDA_LIB stays: it may be the only place where NVRTC is.
        cls.environment = {key: value for key, value in os.environ.items()
                           if not key.startswith("REDTUNE_") or key == "REDTUNE_CUDA_LIB"}
        cls.environment |= {"PATH": f"{root}/bin:{os.environ['PATH']}", "HOME": str(root), "CUDA_VISIBLE_DEVICES": "",
                            "REDTUNE_DB": "user.db", "REDTUNE_CACHE": str(root / "cache")}
        cls.tuned = root / "tuned.db"
        subprocess.run(["redtune", *"tune --op sum --dtype f32 --size 1Ki,1Mi --effort quick".split(), "--db", cls.tuned],
                       cwd=root, env=cls.environment, check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_page(self, page):
        """Runs a page's commands, and returns how many and what went wrong."""
        count, wrong = 0, []
        with tempfile.TemporaryDirectory(dir=self.folder.name) as folder:
            for name in DATABASES:
                shutil.copy(self.tuned, pathlib.Path(folder) / name)
            if page.name == "report.md":  # it has a report of two devices; the other one is the shipped H200
                with sqlite3.connect(pathlib.Path(folder) / "user.db") as database:
                    database.execute("UPDATE device SET name = 'NVIDIA B200'")
                database.close()
            shutil.copy(PROJECT / "docs/results/h200-cub.csv", pathlib.Path(folder) / "cub.csv")
            (pathlib.Path(folder) / "scripts").symlink_to(pathlib.Path(self.folder.name) / "scripts")
            for shown in commands(page.read_text(encoding="utf-8")):
                command = shown
                for pattern, text in REPLACED.items():
                    command = re.sub(pattern, text, command)
                expected = next((code for part, code in EXIT_CODES.items() if part in command), 0)
                done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=self.environment,
                                      capture_output=True, text=True, errors="replace", timeout=300, check=False)
                count += 1
                if done.returncode != expected:
                    wrong.append(f"{page.relative_to(PROJECT)}: `{command}` ended with {done.returncode}, not {expected}:\n"
                                 f"{done.stderr[-1500:]}")
        return count, wrong

    def test_run(self):
        count, wrong = 0, []
        for page in links_test.pages(PROJECT):
            if page not in LEFT_OUT and any(commands(page.read_text(encoding="utf-8"))):
                ran, failures = self.run_page(page)
                count += ran
                wrong += failures
        self.assertEqual(wrong, [], "\n".join(wrong))
        self.assertGreater(count, 30)
        print(f"{count} commands", file=sys.stderr)

    def test_are_found_in_blocks(self):
        text = "```sh\n./scripts/redtune tune --op sum \\\n  --dtype f32   # a comment\ncmake --build b\n$ redtune db list\n```\n`redtune db`\n"
        self.assertEqual(list(commands(text)), ["./scripts/redtune tune --op sum    --dtype f32", "redtune db list"])


if __name__ == "__main__":
    PageCommands.program = os.path.abspath(sys.argv.pop(1))
    sys.exit(unittest.main())
