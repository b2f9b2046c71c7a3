"""Tests of scripts/judge-lookups with a stand-in for redtune."""
import contextlib
import io
import os
import pathlib
import sqlite3
import sys
import tempfile
import unittest

from script_module import load_script

judge_lookups = load_script("judge-lookups")

# A fake `redtune query`: it picks unroll=2 for sums, what was not screened for max, nothing for min, and fails otherwise.
STAND_IN = f"""#!{sys.executable}
import json, sys
op = sys.argv[sys.argv.index("--op") + 1]
if op == "min":
    sys.exit(4)
if op not in ("sum", "max"):
    sys.exit("redtune: no such operator")
parameters = {{"unroll": 2 if op == "sum" else 8, "block": 64}}
print(json.dumps({{"family": "tile", "parameters": parameters, "match": "similar_problem"}}))
"""


class JudgeLookups(unittest.TestCase):
    def run_script(self, *rows):
        """Runs the script on a database with these screenings (op, n, parameters, time in us)."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "redtune")
            pathlib.Path(program).write_text(STAND_IN, encoding="utf-8")
            os.chmod(program, 0o755)
            database = os.path.join(folder, "all.db")
            with contextlib.closing(sqlite3.connect(database)) as connection, connection:
                connection.execute("CREATE TABLE measurements (device, op, dtype, shape, n, regime, family, parameters, time_us, "
                                   "stage, status)")
                connection.executemany("INSERT INTO measurements VALUES ('GPU', ?, 'f32', 'whole', ?, 'cold', 'tile', ?, ?, "
                                       "'screen', 'ok')", rows)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                judge_lookups.main(["--program", program, database])
            return out.getvalue().splitlines()[1:]

    def test_compares_the_pick_with_the_best(self):
        self.assertEqual(self.run_script(("sum", 1001, '{"block":64,"unroll":2}', 3.0), ("sum", 1001, '{"block":64,"unroll":4}', 2.0)),
                         ["sum,f32,whole,1001,cold,similar_problem,3.0000,2.0000,0.5000"])

    def test_of_repeated_screenings_the_fastest_counts(self):
        self.assertEqual(self.run_script(("sum", 1001, '{"block":64,"unroll":2}', 3.0), ("sum", 1001, '{"block":64,"unroll":2}', 2.5)),
                         ["sum,f32,whole,1001,cold,similar_problem,2.5000,2.5000,0.0000"])

    def test_a_pick_that_was_not_screened_and_no_answer_have_no_time(self):
        self.assertEqual(self.run_script(("max", 7, '{"block":64,"unroll":2}', 3.0), ("min", 7, '{"block":64,"unroll":2}', 3.0)),
                         ["max,f32,whole,7,cold,similar_problem,,,", "min,f32,whole,7,cold,,,,"])

    def test_says_why_a_look_up_failed(self):
        with self.assertRaisesRegex(ValueError, "no such operator"):
            self.run_script(("median", 7, '{"block":64}', 3.0))

    def test_refuses_a_database_without_screenings(self):
        with self.assertRaisesRegex(ValueError, "nothing was screened; run `redtune tune --effort exhaustive"):
            self.run_script()


if __name__ == "__main__":
    unittest.main()
