"""Tests of scripts/bench-search with a stand-in for redtune."""
import contextlib
import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from script_module import load_script

bench_search = load_script("bench-search")

# A fake redtune: quick chooses configuration b at the second of two sizes, all other efforts choose a. It refuses a
# database or a cache that an earlier sweep has filled, unless the operator is min, and the effort `thorough`.
STAND_IN = f"""#!{sys.executable}
import os, pathlib, sqlite3, sys
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
op, dtype, effort = options["--op"], options["--dtype"], options["--effort"]
cache = pathlib.Path(os.environ["REDTUNE_CACHE"])
is_known = cache.exists() and os.path.exists(options["--db"])
if effort == "thorough" or is_known != (op == "min" and effort == "quick"):
    sys.exit(3)
cache.mkdir(exist_ok=True)
database = sqlite3.connect(options["--db"])
if not is_known:
    database.execute("CREATE TABLE winners (op, dtype, shape, n, family, parameters)")
    database.execute("CREATE TABLE measurements (op, dtype, shape, measurement_id, n, family, parameters, stage, status,"
                     " data, time_us)")
for n in (256, 512):
    chosen = "b" if effort == "quick" and n == 512 else "a"
    database.execute("INSERT INTO winners VALUES (?, ?, 'whole', ?, 'family', ?)", (op, dtype, n, chosen))
    for parameters, stage, time_us in (("a", "screen", 5), ("a", "final", 2), ("b", "screen", 2.5)):
        database.execute("INSERT INTO measurements VALUES (?, ?, 'whole', 1, ?, 'family', ?, ?, 'ok', 'uniform', ?)",
                         (op, dtype, n, parameters, stage, time_us))
database.commit()
if sys.argv[-1] == "--look-ups":
    database.execute("UPDATE winners SET parameters = 'a'")
    database.commit()
print("the winners")
print("100 of 2000 candidates screened: 0 stopped early, 0 pruned unmeasured.", file=sys.stderr)
print("op,dtype,shape,gpu,activity,count,seconds,percent", file=sys.stderr)
print("sum,f32,whole,busy,checks and timings,,8,87.25", file=sys.stderr)
sys.exit(5)
"""


class BenchSearch(unittest.TestCase):
    def run_script(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "redtune")
            pathlib.Path(program).write_text(STAND_IN, encoding="utf-8")
            os.chmod(program, 0o755)
            with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
                bench_search.main(["--program", program, *options])
            rows = list(csv.DictReader(io.StringIO(out.getvalue())))
        for row in rows:
            self.assertGreaterEqual(float(row.pop("seconds")), 0)
        return [tuple(row.values()) for row in rows]

    def test_every_effort_begins_with_nothing_and_the_second_problem_with_the_first(self):
        self.assertEqual(self.run_script("--efforts", "quick,standard,exhaustive"),
                         [("quick", "sum f32", "100", "2000", "0.11803", "0.25000", "87.2", "nothing"),
                          ("standard", "sum f32", "100", "2000", "0.00000", "0.00000", "87.2", "nothing"),
                          ("exhaustive", "sum f32", "100", "2000", "0.00000", "0.00000", "87.2", "nothing"),
                          ("quick", "min f32", "100", "2000", "", "", "87.2", "alike")])

    def test_each_search_can_begin_with_look_ups_too(self):
        rows = self.run_script("--efforts", "quick,exhaustive", "--look-ups", "--second", "none")
        self.assertEqual([(row[0], row[4], row[7]) for row in rows],
                         [("quick", "0.11803", "nothing"), ("exhaustive", "0.00000", "nothing"),
                          ("quick", "0.00000", "look_ups")])

    def test_without_an_exhaustive_sweep_there_is_no_regret(self):
        self.assertEqual(self.run_script("--efforts", "quick", "--second", "none"),
                         [("quick", "sum f32", "100", "2000", "", "", "87.2", "nothing")])

    def test_the_second_problem_can_be_swept_exhaustively(self):
        rows = self.run_script("--efforts", "quick", "--second-exhaustive")
        self.assertEqual([row[:2] + row[4:6] for row in rows],
                         [("quick", "sum f32", "", ""), ("quick", "min f32", "0.11803", "0.25000"),
                          ("exhaustive", "min f32", "0.00000", "0.00000")])

    def test_fails_if_a_sweep_fails(self):
        with self.assertRaises(subprocess.CalledProcessError):
            self.run_script("--efforts", "thorough")

    def test_unknown_efforts_are_refused(self):
        with self.assertRaisesRegex(ValueError, "no effort 'quik'; allowed are quick, standard"):
            self.run_script("--efforts", "quik")

    def test_output_without_counts_or_timing_is_refused(self):
        with self.assertRaisesRegex(ValueError, "how many candidates"):
            bench_search.screened("")
        with self.assertRaisesRegex(ValueError, "no timing"):
            bench_search.busy_percent("1 of 2 candidates screened\n")
        with self.assertRaisesRegex(ValueError, "no row"):
            bench_search.busy_percent("op,dtype,shape,gpu,activity,count,seconds,percent\n")


if __name__ == "__main__":
    unittest.main()
