#!/usr/bin/env python3
"""Tests of scripts/datasette-metadata, on the pages as they are."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(*arguments):
    return subprocess.run([PROJECT / "scripts/datasette-metadata", *arguments], capture_output=True, text=True, check=False)


class DatasetteMetadata(unittest.TestCase):
    def test_the_file_in_the_repository_is_up_to_date(self):
        ended = run("--check")
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_another_file_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.json"
            ended = run("--check", str(file))
            self.assertEqual(ended.returncode, 1)
            self.assertIn("run it", ended.stderr)
            self.assertFalse(file.exists())

    def test_has_every_view_and_twenty_queries(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.json"
            self.assertEqual(run("--database", "my", str(file)).returncode, 0)
            written = json.loads(file.read_text(encoding="utf-8"))["databases"]["my"]
        self.assertEqual(len(written["queries"]), 20)
        for query in written["queries"].values():
            self.assertRegex(query["sql"], r"\A(SELECT|WITH) ")
            self.assertTrue(query["title"].endswith("?"), query["title"])
        views = {name for name, table in written["tables"].items() if not table.get("hidden")}
        self.assertEqual(views, {"winners", "size_checks", "measurements", "failures", "winner_data", "sweeps", "unit_times"})
        self.assertIn("measurement", written["tables"])


if __name__ == "__main__":
    sys.exit(unittest.main())
