"""Tests of scripts/measure-regret with a stand-in for redtune."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/measure-regret"
LOADER = importlib.machinery.SourceFileLoader("measure_regret", str(SCRIPT))
sys.dont_write_bytecode = True  # No compiled file beside the script.
measure_regret = importlib.util.module_from_spec(importlib.util.spec_from_loader("measure_regret", LOADER))
LOADER.exec_module(measure_regret)

# A fake redtune: `db merge` makes a database with one checked size, and `tune` adds one for its operator.
STAND_IN = f"""#!{sys.executable}
import sqlite3, sys
if sys.argv[1] == "db":
    database = sqlite3.connect(sys.argv[5])
    database.execute("CREATE TABLE size_check (op, dtype, shape, n, picked_us, best_us, regret, expected_us)")
    database.execute("CREATE VIEW size_checks AS SELECT * FROM size_check")
    database.execute("INSERT INTO size_check VALUES ('old', 'f32', 'whole', 1, 1, 1, 0, 1)")
    database.execute("CREATE TABLE winners (op, dtype, shape)")
    database.execute("INSERT INTO winners VALUES ('sum', 'f32', 'whole'), ('max', 'i32', 'whole'), ('any', 'f32', 'whole')")
else:
    database = sqlite3.connect(sys.argv[3])
    op, dtype = sys.argv[5], sys.argv[7]
    if op == "any":
        sys.exit(3)
    database.execute("INSERT INTO size_check VALUES (?, ?, 'whole', 1025, 2.5, 2, 0.25, 2.4)", (op, dtype))
database.commit()
sys.exit(5 if sys.argv[1] == "tune" else 0)
"""


class MeasureRegret(unittest.TestCase):
    def run_script(self, *problems):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "redtune")
            pathlib.Path(program).write_text(STAND_IN, encoding="utf-8")
            os.chmod(program, 0o755)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                measure_regret.main(["--program", program, "--db", "shipped.db", *problems])
            return out.getvalue()

    def test_prints_the_sizes_of_all_reductions_and_no_earlier_ones(self):
        self.assertEqual(self.run_script("sum:f32", "max:i32"),
                         "op,dtype,shape,n,picked_us,best_us,regret,expected_us\n"
                         "max,i32,whole,1025,2.5,2,0.25,2.4\nsum,f32,whole,1025,2.5,2,0.25,2.4\n")

    def test_fails_if_a_sweep_fails(self):
        with self.assertRaises(subprocess.CalledProcessError):
            self.run_script("any:f32")

    def test_refuses_a_reduction_that_the_database_does_not_have(self):
        for problem in ("mean:f32", "sum:f16", "sum:f32:rows:1000"):
            with self.assertRaisesRegex(ValueError, f"{problem}: the database has no winner"):
                self.run_script("sum:f32", problem)

    def test_sizes_are_1_kib_to_1_gib_in_whole_rows(self):
        self.assertIn("512,536870912", measure_regret.tune_options("sum:f16", 200))
        rows = measure_regret.tune_options("sum:f32:rows:1000", 7)
        self.assertEqual(rows, ["--op", "sum", "--dtype", "f32", "--shape", "rows:1000", "--size", "1000,268435000",
                                "--effort", "quick", "--between", "0", "--checks", "7"])

    def test_other_shapes_are_refused(self):
        with self.assertRaisesRegex(ValueError, "rows:LENGTH"):
            measure_regret.tune_options("sum:f32:columns:8", 1)


if __name__ == "__main__":
    unittest.main()
