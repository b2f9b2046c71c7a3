"""Tests of scripts/bench-kernel-tuner. Fakes replace the GPU and the runs of the tuners. $REDTUNE_PROGRAM is a redtune:
without it, the test that compares the two search spaces is skipped."""
import contextlib
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

from bench_kernel_tuner_runs import DEVICE, FIRST, bench, key, request_of, run_of, with_grid

REDTUNE = os.environ.get("REDTUNE_PROGRAM")


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
