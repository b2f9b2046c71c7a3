"""Tests of scripts/bench-kernel-tuner. Fakes replace the GPU, Kernel Tuner and its packages. $REDTUNE_PROGRAM is a redtune:
without it, the test that compares the two search spaces is skipped."""
import contextlib
import csv
import io
import json
import math
import os
import pathlib
import sqlite3
import stat
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

from script_module import load_script

bench = load_script("bench-kernel-tuner")

REDTUNE = os.environ.get("REDTUNE_PROGRAM")
DEVICE = {"name": "NVIDIA H200", "sm_count": 132, "max_threads_per_sm": 2048, "l2_bytes": 60 << 20}
FIRST = {"block": 256, "unroll": 4, "vector_bytes": 16, "path": "plain", "mapping": "strided", "blocks_per_sm": 2}


def with_grid(blocks_per_sm):
    return {**FIRST, "blocks_per_sm": blocks_per_sm}


def key(blocks_per_sm):
    return bench.key_of(with_grid(blocks_per_sm))


def run_of(times, choice=None, total=10.0):
    """Returns a run that measured the configurations with these blocks_per_sm; one takes a second."""
    measured = [[float(i), us, with_grid(blocks)] for i, (blocks, us) in enumerate(times, 1)]
    best = min((row for row in measured if row[1] is not None), key=lambda row: row[1])[2]
    return {"total_s": total, "measured": measured, "choice": with_grid(choice) if choice else best}


def request_of(tuner, strategy, **other):
    return {"tuner": tuner, "strategy": strategy, "run": 1, "bytes": 1 << 20, "regime": "warm", "finish": "two_kernel",
            "device": DEVICE, "max_fevals": 200, **other}


class Space(unittest.TestCase):
    def test_has_about_2000_configurations(self):
        self.assertEqual(len(bench.configurations(256 << 20, DEVICE)), 2088)
        self.assertEqual(len(bench.configurations(1 << 20, DEVICE)), 744)
        self.assertEqual(bench.configurations(4, DEVICE), [])

    def test_each_is_another_launch_that_gives_each_block_a_tile(self):
        found = bench.configurations(1 << 20, DEVICE)
        launches = {(*(values[name] for name in bench.COMPILE_PARAMETERS), bench.grid_of(values, DEVICE))
                    for values in found}
        self.assertEqual(len(launches), len(found))
        for values in found:
            tile = values["block"] * values["unroll"] * values["vector_bytes"]
            self.assertLessEqual(bench.grid_of(values, DEVICE) * tile, 1 << 20)

    @unittest.skipUnless(REDTUNE, "$REDTUNE_PROGRAM names no redtune")
    def test_has_as_many_configurations_as_redtune_has_candidates(self):
        with tempfile.TemporaryDirectory() as folder:
            for finish in bench.FINISHES:
                path = pathlib.Path(folder) / f"{finish}.cuh"
                path.write_text(bench.family_text(finish), encoding="utf-8")
                for size in (64 << 10, 1 << 20, 16 << 20, 256 << 20):
                    command = [REDTUNE, "families", bench.FAMILY, "--template", str(path), "--op", "sum", "--dtype", "f32",
                               "--n", str(size // 4), "--device", "replay:nvidia-h200", "--format", "json"]
                    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    family = json.loads(done.stdout)[0]
                    ours = bench.configurations(size, DEVICE)
                    self.assertEqual(family["candidates"], len(ours), (finish, size))
                    compiles = {tuple(values[name] for name in bench.COMPILE_PARAMETERS) for values in ours}
                    self.assertEqual(family["compiles"], len(compiles), (finish, size))

    def test_halves_of_blocks_are_rounded_up(self):
        self.assertEqual(bench.grid_of(with_grid(0.5), {"sm_count": 132}), 66)
        self.assertEqual(bench.grid_of(with_grid(0.5), {"sm_count": 85}), 43)
        self.assertEqual(bench.grid_of(with_grid(0.5), {"sm_count": 1}), 1)

    def test_few_tiles_are_combined_by_one_warp(self):
        tile = 256 * 4 * 16
        self.assertEqual(bench.combine_block(FIRST, 256 * tile), 32)
        self.assertEqual(bench.combine_block(FIRST, 256 * tile + 4), 512)

    def test_the_macros_of_a_kernel_do_not_depend_on_the_grid(self):
        self.assertEqual(bench.macros(with_grid(1)), bench.macros(with_grid(8)))
        for name in bench.macros(FIRST):
            self.assertIn(name, bench.kernel_text("ticket"))
        self.assertIn("Finish::ticket", bench.kernel_text("ticket"))


class Judgement(unittest.TestCase):
    def test_incumbents_are_the_best_so_far_and_then_the_choice(self):
        run = run_of([(1, 9.0), (2, None), (3, 9.5), (4, 8.0)], choice=1)
        self.assertEqual([(number, found["blocks_per_sm"]) for _, number, found in bench.incumbents(run)],
                         [(1, 1), (4, 4), (4, 1)])
        self.assertEqual(bench.incumbents(run)[-1][0], 10.0)
        self.assertEqual(len(bench.incumbents(run_of([(1, 9.0), (4, 8.0)]))), 2)

    def test_reached_counts_from_when_it_stays_within_the_limit(self):
        run = run_of([(1, 9.0), (2, 8.0), (3, 7.0), (4, 6.0)])
        times = {key(1): 100.0, key(2): 110.0, key(3): 100.5, key(4): 100.0}
        self.assertEqual(bench.reached(run, times, 101.0), (3.0, 3))
        self.assertEqual(bench.reached(run, {**times, key(4): 102.0}, 101.0), ("", ""))
        self.assertEqual(bench.reached(run, times, 110.0), (1.0, 1))

    def test_the_best_is_that_of_the_exhaustive_runs(self):
        runs = [(request_of("redtune", "exhaustive"), run_of([(1, 9.0), (2, 8.0)])),
                (request_of("kernel_tuner", "diff_evo"), run_of([(3, 9.0)]))]
        times = {key(1): 10.0, key(2): 11.0, key(3): 9.0}
        self.assertEqual(set(bench.to_be_judged(runs)), set(times))
        self.assertEqual(bench.best_time(runs, times), 10.0)
        self.assertEqual(bench.best_time(runs[1:], times), 9.0)

    def test_the_first_five_of_an_exhaustive_run_are_judged(self):
        times = [(blocks, us) for blocks, us in zip((0.5, 1, 2, 3, 4, 8), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))]
        self.assertEqual(len(bench.to_be_judged([(request_of("kernel_tuner", "brute_force"), run_of(times))])), 5)
        self.assertEqual(len(bench.to_be_judged([(request_of("kernel_tuner", "bayes_opt"), run_of(times))])), 1)


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


class FakeArray:
    """An array of CuPy: its size and its first element."""

    def __init__(self, size):
        self.size, self.first = size, 0.0

    def __getitem__(self, index):
        return FakeArray(index.stop - index.start) if isinstance(index, slice) else self.first

    def fill(self, value):
        self.first = value

    def sum(self, **options):
        return float(self.size)  # the sum of ones


class FakeCuPy(types.ModuleType):
    """Takes the place of CuPy. A launch takes 1 us for each block of a multiprocessor; a graph repeats what was captured."""
    float32, float64, uint64 = "float32", "float64", "uint64"

    def __init__(self, is_wrong=False):
        super().__init__("cupy")
        self.us, self.is_wrong, self.launched = 0.0, is_wrong, []
        self.random = types.SimpleNamespace(random=lambda size, dtype: FakeArray(size))
        self.RawModule = lambda code, options: types.SimpleNamespace(get_function=lambda name: self.kernel(code, name))
        self.cuda = types.SimpleNamespace(
            Device=lambda number=0: types.SimpleNamespace(synchronize=lambda: None, attributes={
                "MultiProcessorCount": 132, "L2CacheSize": 60 << 20, "MaxThreadsPerMultiProcessor": 2048}),
            Stream=lambda non_blocking: self.stream(), Event=self.event,
            get_elapsed_time=lambda begin, end: (end.at - begin.at) / 1e3,
            runtime=types.SimpleNamespace(getDeviceProperties=lambda number: {"name": b"NVIDIA H200"}))

    def zeros(self, size, dtype):
        return FakeArray(size)

    def event(self):
        event = types.SimpleNamespace(synchronize=lambda: None)
        event.record = lambda stream: setattr(event, "at", self.us)
        return event

    def stream(self):
        stream = mock.MagicMock()
        stream.begin_capture = lambda: setattr(self, "captured_from", self.us)

        def end_capture():
            took = self.us - self.captured_from
            return types.SimpleNamespace(launch=lambda on: setattr(self, "us", self.us + took))
        stream.end_capture = end_capture
        return stream

    def kernel(self, code, name):
        def launch(grid, block, arguments):
            self.us += grid[0] / 132
            self.launched.append((name, grid, block))
            writes = name == "combine_floats" or "Finish::ticket" in code
            if writes and not self.is_wrong:
                output, values = (arguments[3], self.values) if name == "combine_floats" else (arguments[2], arguments[0])
                output.fill(float(values.size))
            if name == "sum_floats":
                self.values = arguments[0]
        return launch


class Judging(unittest.TestCase):
    def judge(self, finish, regime="warm", is_wrong=False):
        cupy = FakeCuPy(is_wrong)
        numpy = types.SimpleNamespace(uint64=int)
        with mock.patch.dict(sys.modules, {"cupy": cupy, "numpy": numpy}):
            judge = bench.Judge()
            self.assertEqual(judge.device, DEVICE)
            chosen = {key(blocks): with_grid(blocks) for blocks in (1, 2)}
            return cupy, judge.times(chosen, 1 << 20, regime, finish)

    def test_times_every_configuration_per_call(self):
        for regime in bench.REGIMES:
            _, times = self.judge("ticket", regime)
            self.assertAlmostEqual(times[key(1)], 1.0)
            self.assertAlmostEqual(times[key(2)], 2.0)

    def test_the_second_launch_is_timed_too(self):
        cupy, times = self.judge("two_kernel")
        self.assertAlmostEqual(times[key(2)], 2.0 + 1 / 132)
        self.assertEqual(cupy.launched[:2], [("sum_floats", (132,), (256,)), ("combine_floats", (1,), (32,))])

    def test_a_wrong_sum_is_a_failure(self):
        with self.assertRaisesRegex(bench.Failure, "expected"):
            self.judge("ticket", is_wrong=True)


class FakeJudge:
    """Says that a configuration takes the longer the more blocks its grid has. `judged` has the number of configurations."""
    device = DEVICE

    def __init__(self):
        self.judged = []

    def times(self, chosen, size, regime, finish):
        self.judged.append(len(chosen))
        return {name: 100.0 + parameters["blocks_per_sm"] for name, parameters in chosen.items()}


class Comparison(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.called = []

    def tune(self, request, folder):
        self.called.append((request["tuner"], request["strategy"], request["bytes"], request["run"]))
        if request["strategy"] in bench.EXHAUSTIVE:
            return run_of([(8, 9.0), (1, 8.0)])
        return run_of([(4, 9.0)])

    def main(self, *arguments, judge=None):
        out, error = io.StringIO(), io.StringIO()
        tuners = {"redtune": self.tune, "kernel_tuner": self.tune}
        with contextlib.redirect_stderr(error):
            code = bench.main([*arguments, "--runs", str(pathlib.Path(self.folder.name) / "runs")], judge or FakeJudge(),
                              tuners, out)
        return code, out.getvalue(), error.getvalue()

    def test_csv_has_a_row_for_each_run(self):
        path = pathlib.Path(self.folder.name) / "rows.csv"
        code, out, _ = self.main("--bytes", "1Mi,256Mi", "--strategy", "brute_force,diff_evo", "--effort",
                                 "quick,exhaustive", "--repeats", "2", "--format", "csv", "--csv", str(path))
        self.assertEqual(code, 0)
        self.assertEqual(path.read_text(encoding="utf-8").replace("\r", ""), out.replace("\r", ""))
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([(row["tuner"], row["strategy"], row["run"]) for row in rows[:5]],
                         [("redtune", "quick", "1"), ("redtune", "exhaustive", "1"), ("kernel_tuner", "brute_force", "1"),
                          ("kernel_tuner", "diff_evo", "1"), ("kernel_tuner", "diff_evo", "2")])
        self.assertEqual(len(rows), 10)
        self.assertEqual((rows[0]["until_s"], rows[0]["until_measured"], rows[0]["space"]), ("", "", "744"))
        self.assertEqual((rows[1]["until_s"], rows[1]["until_measured"], rows[1]["of_best"]), ("2.0", "2", "1.0"))
        self.assertEqual(rows[5]["space"], "2088")

    def test_table_says_how_kernel_tuner_is_timed(self):
        code, out, _ = self.main("--strategy", "brute_force", "--effort", "none")
        self.assertEqual(code, 0)
        self.assertIn("its own default method", out)
        self.assertEqual(self.called, [("kernel_tuner", "brute_force", 256 << 20, 1)])

    def test_kept_runs_are_not_repeated(self):
        self.main("--strategy", "brute_force", "--effort", "quick")
        code, _, _ = self.main("--strategy", "brute_force", "--effort", "quick", "--regime", "cold")
        self.assertEqual(code, 0)
        # Kernel Tuner's method knows no regime, so only redtune runs again.
        self.assertEqual([name for name, *_ in self.called], ["redtune", "kernel_tuner", "redtune"])

    def test_kept_runs_of_another_device_are_refused(self):
        self.main("--strategy", "brute_force", "--effort", "none")
        other = FakeJudge()
        other.device = {**DEVICE, "name": "NVIDIA A100"}
        code, _, error = self.main("--strategy", "brute_force", "--effort", "none", judge=other)
        self.assertEqual(code, 2)
        self.assertIn("H200", error)

    def test_wrong_usage_ends_with_2(self):
        self.assertEqual(self.main("--bytes", "6")[0], 2)
        self.assertEqual(self.main("--bytes", "64")[0], 2)
        self.assertEqual(self.main("--strategy", "none", "--effort", "none")[0], 2)
        for arguments in (["--strategy", "magic"], ["--within", "0"], ["--repeats", "0"], ["--finish", "atomic"]):
            with self.assertRaises(SystemExit) as caught:
                self.main(*arguments)
            self.assertEqual(caught.exception.code, 2)

    def test_no_gpu_ends_with_3(self):
        with mock.patch.dict(sys.modules, {"cupy": None}), contextlib.redirect_stderr(io.StringIO()) as error:
            self.assertEqual(bench.main(["--strategy", "none"]), 3)
        self.assertIn("pip install cupy", error.getvalue())

    def test_help_says_how_it_is_judged(self):
        with contextlib.redirect_stdout(io.StringIO()) as out, self.assertRaises(SystemExit) as caught:
            bench.main(["--help"])
        self.assertEqual(caught.exception.code, 0)
        self.assertIn("judged", out.getvalue())
        self.assertIn("Exit codes", out.getvalue())


if __name__ == "__main__":
    unittest.main()
