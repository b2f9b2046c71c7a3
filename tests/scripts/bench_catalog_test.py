"""Tests of scripts/bench-catalog with a small database and a stand-in for catalog_benchmark."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import sqlite3
import sys
import tempfile
import unittest
from unittest import mock

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/bench-catalog"
LOADER = importlib.machinery.SourceFileLoader("bench_catalog", str(SCRIPT))
sys.dont_write_bytecode = True  # No compiled file beside the script.
bench_catalog = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_catalog", LOADER))
LOADER.exec_module(bench_catalog)

SCHEMA = """
CREATE TABLE device (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE sweep (id INTEGER PRIMARY KEY, device_id INTEGER, identity TEXT UNIQUE);
CREATE TABLE measurement (id INTEGER PRIMARY KEY, sweep_id INTEGER, n INTEGER);
CREATE TABLE winner (device_id INTEGER, n INTEGER, measurement_id INTEGER, PRIMARY KEY (device_id, n));
INSERT INTO device VALUES (1, 'H200');
INSERT INTO sweep VALUES (3, 1, 'a'), (4, 1, NULL);
INSERT INTO measurement VALUES (5, 3, 10), (9, 4, 20);
INSERT INTO winner VALUES (1, 10, 5), (1, 20, 9);
"""


class BenchCatalog(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "a.db"
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            database.executescript(SCHEMA)

    def test_copies_refer_to_each_other(self):
        self.assertEqual(bench_catalog.repeat_winners(self.file, 5), 6)
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            rows = database.execute("SELECT device.name, winner.n FROM winner JOIN measurement ON measurement.id = measurement_id "
                                    "JOIN sweep ON sweep.id = sweep_id JOIN device ON device.id = sweep.device_id "
                                    "WHERE winner.device_id = device.id AND winner.n = measurement.n ORDER BY 1, 2").fetchall()
        self.assertEqual(rows, [(name, n) for name in ("H200", "H200 no. 1", "H200 no. 2") for n in (10, 20)])

    def test_prints_a_line_for_each_layer(self):
        program = self.folder / "program"
        program.write_text("#!/bin/sh\necho $3\n")
        os.chmod(program, 0o755)
        out = io.StringIO()
        given = ["bench-catalog", "--winners", "4", "--repeats", "7", "--program", str(program), "--db", str(self.file)]
        with mock.patch.object(sys, "argv", given), contextlib.redirect_stdout(out):
            bench_catalog.main()
        lines = [line.split() for line in out.getvalue().splitlines()[1:]]
        self.assertEqual(lines, [["2", "shipped", "7"], ["2", "user", "7"], ["4", "shipped", "7"], ["4", "user", "7"]])


if __name__ == "__main__":
    unittest.main()
