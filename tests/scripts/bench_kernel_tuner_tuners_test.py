"""Tests how scripts/bench-kernel-tuner runs the two tuners. Fakes replace them and their packages."""
import contextlib
import json
import math
import pathlib
import sqlite3
import stat
import sys
import tempfile
import types
import unittest
from unittest import mock

from bench_kernel_tuner_runs import FIRST, bench, request_of, with_grid


class FakeKernelTuner(types.ModuleType):
    """Takes the place of the module kernel_tuner and keeps what it was called with."""

    def tune_kernel(self, *arguments, **options):
        self.arguments, self.options = arguments, options
        first = {**FIRST, "timestamp": "2026-11-20 10:00:00.500000+00:00"}
        return [{**first, "time": 0.012}, {**first, "time": 0.012, "timestamp": "2026-11-20 10:00:09+00:00"},
                {**first, "blocks_per_sm": 4, "__error__": "too many resources", "timestamp": "2026-11-20 10:00:02+00:00"},
                {**first, "blocks_per_sm": 1, "time": 0.011, "timestamp": "2026-11-20 10:00:01+00:00"}], {}


class KernelTuner(unittest.TestCase):
    def call(self, strategy="diff_evo"):
        module = FakeKernelTuner("kernel_tuner")
        with mock.patch.dict(sys.modules, {"kernel_tuner": module, "numpy": mock.MagicMock()}):
            rows = bench.run_kernel_tuner(request_of("kernel_tuner", strategy, finish="ticket"))
        return module, rows

    def test_measurements_are_in_order_and_each_is_counted_once(self):
        _, rows = self.call()
        self.assertEqual([(us, parameters["blocks_per_sm"]) for _, us, parameters in rows],
                         [(12.0, 2), (11.0, 1), (None, 4)])
        self.assertAlmostEqual(rows[1][0] - rows[0][0], 0.5)

    def test_gets_the_space_and_its_own_defaults_for_timing(self):
        module, _ = self.call()
        self.assertEqual({name: tuple(values) for name, values in module.arguments[4].items()}, bench.PARAMETERS)
        self.assertEqual(module.options["restrictions"], ["block * blocks_per_sm <= 2048",
                                                          "blocks_per_sm * 132 * block * unroll * vector_bytes <= 1048576"])
        self.assertNotIn("iterations", module.options)
        self.assertNotIn("observers", module.options)
        self.assertEqual(module.options["strategy_options"], {"max_fevals": 200})
        self.assertEqual(module.arguments[2](FIRST), (264,))
        self.assertEqual({name: text(FIRST) for name, text in module.options["defines"].items()},
                         {name: str(value) for name, value in bench.macros(FIRST).items()})

    def test_brute_force_has_no_limit(self):
        module, _ = self.call(strategy="brute_force")
        self.assertEqual(module.options["strategy_options"], {})

    def test_with_two_kernels_a_run_launches_both(self):
        launches = []

        class Base:
            stream = "stream"

            def compile(self, kernel_instance):
                return "kernel"

            def run_kernel(self, func, gpu_args, threads, grid, stream=None):
                launches.append((func, threads, grid))
        cupy, numpy = mock.MagicMock(), mock.MagicMock()
        numpy.uint64 = int
        cupy.RawModule.return_value.get_function.return_value = lambda grid, threads, arguments, stream: launches.append(
            ("combine", threads, grid, arguments, stream))
        backend = bench.backend_with_two_launches(Base, cupy, numpy, 256 << 20)()
        backend.compile(types.SimpleNamespace(params=FIRST))
        memory = ("input", 9, "output", "partials", "header")
        backend.run_kernel("kernel", memory, (256, 1, 1), (264, 1, 1))
        self.assertEqual(launches, [("kernel", (256, 1, 1), (264, 1, 1)),
                                    ("combine", (512,), (1,), ("partials", 264, 9, "output"), "stream")])
        backend.run_kernel("kernel", memory, (256, 1, 1), (1, 1, 1))  # one block writes the result itself
        self.assertEqual(len(launches), 3)

    def test_runs_in_a_process_whose_caches_are_empty(self):
        def process(command, env, cwd, **options):
            self.assertEqual(command[2:], ["--kernel-tuner-process", str(cwd)])
            self.assertEqual(env["CUPY_CACHE_DIR"], str(cwd / "cupy"))
            begin = bench.time.time()
            (cwd / "measured.json").write_text(json.dumps([[begin + 1, None, FIRST], [begin + 2, 5.0, with_grid(4)],
                                                           [begin + 3, 6.0, with_grid(8)]]), encoding="utf-8")
            return types.SimpleNamespace(returncode=0, stderr="")
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench.subprocess, "run", process):
            run = bench.kernel_tuner_run(request_of("kernel_tuner", "diff_evo"), pathlib.Path(folder))
        self.assertEqual(run["choice"], with_grid(4))
        self.assertEqual([math.floor(row[0] + 0.5) for row in run["measured"]], [1, 2, 3])

    def test_a_process_that_fails_or_measures_nothing_is_a_failure(self):
        for code, measured in ((1, []), (0, [[1.0, None, FIRST]])):
            def process(command, env, cwd, **options):
                (cwd / "measured.json").write_text(json.dumps(measured), encoding="utf-8")
                return types.SimpleNamespace(returncode=code, stderr="no such kernel")
            with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench.subprocess, "run", process):
                with self.assertRaisesRegex(bench.Failure, "no such kernel"):
                    bench.kernel_tuner_run(request_of("kernel_tuner", "diff_evo"), pathlib.Path(folder))

    def test_without_kernel_tuner_the_message_has_the_pip_command(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench, "WORK", pathlib.Path(folder)), \
                mock.patch.object(bench.importlib.util, "find_spec", lambda name: None):
            with self.assertRaisesRegex(bench.Failure, "pip install kernel-tuner") as caught:
                bench.ensure_kernel_tuner(False, {})
            self.assertEqual(caught.exception.exit_code, 3)

    def test_goes_on_in_the_virtual_environment_but_once(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench, "WORK", pathlib.Path(folder)), \
                mock.patch.object(bench.importlib.util, "find_spec", lambda name: None), \
                mock.patch.object(bench.os, "execve") as execve:
            python = pathlib.Path(folder) / "venv" / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.touch()
            with self.assertRaises(bench.Failure):  # the fake comes back
                bench.ensure_kernel_tuner(False, {})
            self.assertEqual(execve.call_args[0][0], python)
            execve.reset_mock()
            with self.assertRaises(bench.Failure):
                bench.ensure_kernel_tuner(False, {"REDTUNE_BENCH_KERNEL_TUNER_VENV": "1"})
            execve.assert_not_called()


def write_database(path):
    """Writes a database with the tables and columns that the script reads: four measurements, of which the second wins."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript("""
            CREATE TABLE stage (id INTEGER, name TEXT);
            CREATE TABLE status (id INTEGER, name TEXT);
            CREATE TABLE configuration (id INTEGER, parameters TEXT);
            CREATE TABLE measurement (id INTEGER, configuration_id INTEGER, stage_id INTEGER, status_id INTEGER,
                                      median_us REAL);
            CREATE TABLE winner (measurement_id INTEGER);
            INSERT INTO stage VALUES (0, 'screen'), (1, 'survivor');
            INSERT INTO status VALUES (0, 'ok'), (1, 'wrong');
            INSERT INTO measurement VALUES (1, 1, 0, 0, 9.0), (2, 2, 0, 0, 8.0), (3, 3, 0, 1, 7.0), (4, 2, 1, 0, 8.1);
            INSERT INTO winner VALUES (4);""")
        for number, blocks in ((1, 1), (2, 2), (3, 4)):
            database.execute("INSERT INTO configuration VALUES (?, ?)",
                             (number, json.dumps({**with_grid(blocks), "finish": "two_kernel"})))
        database.commit()


class Redtune(unittest.TestCase):
    def test_reads_screenings_and_the_winner(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "redtune.db"
            self.assertEqual(bench.last_measurement(path), 0)
            write_database(path)
            self.assertEqual(bench.last_measurement(path), 4)
            measured, choice = bench.read_database(path, [(0.5, 1), (1.5, 3), (2.0, math.inf)])
        self.assertEqual(measured, [[0.5, 9.0, with_grid(1)], [1.5, 8.0, with_grid(2)], [1.5, None, with_grid(4)]])
        self.assertEqual(choice, with_grid(2))

    def test_runs_the_program_with_no_knowledge(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            program = folder / "redtune"
            write_database(folder / "made.db")
            program.write_text(f"""#!/bin/sh
set -e
echo "$*" >{folder}/command
ls -A "$REDTUNE_SYSTEM_DATA" "$REDTUNE_SYSTEM_CACHE" | grep -v : >{folder}/known || true
cp {folder}/made.db {folder}/run/redtune.db
""", encoding="utf-8")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            (folder / "run").mkdir()
            run = bench.redtune_run(str(program), request_of("redtune", "quick"), folder / "run")
            self.assertEqual(run["choice"], with_grid(2))
            self.assertEqual(len(run["measured"]), 3)
            self.assertLessEqual(run["measured"][-1][0], run["total_s"])
            command = (folder / "command").read_text(encoding="utf-8")
            for part in (f"--family {bench.FAMILY}", "--size 262144", "--effort quick", "--regime warm", "--between 0"):
                self.assertIn(part, command)
            self.assertEqual((folder / "known").read_text(encoding="utf-8").strip(), "")
            self.assertIn('finish = ["two_kernel"]', (folder / "run" / f"{bench.FAMILY}.cuh").read_text(encoding="utf-8"))

    def test_a_failure_has_the_message_of_the_program(self):
        for code, expected in ((3, 3), (2, 1)):
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                program = folder / "redtune"
                program.write_text(f"#!/bin/sh\necho 'no GPU' >&2\nexit {code}\n", encoding="utf-8")
                program.chmod(program.stat().st_mode | stat.S_IXUSR)
                with self.assertRaisesRegex(bench.Failure, "no GPU") as caught:
                    bench.redtune_run(str(program), request_of("redtune", "quick"), folder)
                self.assertEqual(caught.exception.exit_code, expected)

    def test_finds_the_program(self):
        self.assertEqual(bench.find_program(None, {"REDTUNE_PROGRAM": sys.executable}),
                         str(pathlib.Path(sys.executable).resolve()))
        with self.assertRaises(bench.Failure) as caught:
            bench.find_program("/no/redtune", {})
        self.assertEqual(caught.exception.exit_code, 2)


if __name__ == "__main__":
    unittest.main()
