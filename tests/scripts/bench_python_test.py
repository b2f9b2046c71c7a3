"""Tests of scripts/bench-python. Fake libraries, whose calls let a fake clock advance, replace all that need a GPU."""
import contextlib
import csv
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from script_module import load_script

bench = load_script("bench-python")


class Clock:
    """A clock that shows the microseconds that calls have taken."""

    def __init__(self):
        self.us = 0.0

    def __call__(self):
        return self.us / 1e6


class FakeLibrary:
    """A library whose calls take `us` microseconds, and whose graphs take 3 for each call."""
    version = "9.9"

    def __init__(self, clock, us, refuses=()):
        self.clock, self.us, self.refuses = clock, us, refuses
        self.arrays = []

    def array(self, dtype, shape):
        if shape == (1 << 20,):
            raise MemoryError("no room")
        self.arrays.append((dtype, shape))
        return (dtype, shape)

    def call(self, op, array, axis):
        if op in self.refuses:
            raise TypeError(f"no {op}")

        def make():
            self.clock.us += self.us
        return make

    def graph(self, call):
        def launch():
            self.clock.us += 3 * bench.GRAPH_CALLS
        return launch

    def synchronize(self):
        pass

    def release(self):
        pass


def missing():
    raise ImportError("No module named 'torch'")


class Options(unittest.TestCase):
    def shapes(self, *arguments):
        return bench.shapes_of(bench.make_parser().parse_args(arguments))

    def test_the_default_has_whole_arrays_rows_columns_and_a_tensor(self):
        shapes = self.shapes()
        self.assertEqual(shapes[0], ((1024,), None))
        self.assertIn(((1 << 30,), None), shapes)
        for length in (1, 8, 64, 1000, 4096, 65536):
            self.assertIn((((1 << 20) // length, length), 1), shapes)
            self.assertIn((((1 << 26) // length, length), 0), shapes)
        self.assertEqual(shapes[-2:], [((64, 128, 32, 64), 1), ((64, 128, 32, 64), 2)])
        self.assertEqual(len(shapes), 21 + 2 * 2 * 6 + 2)

    def test_shapes_and_sizes_are_chosen(self):
        self.assertEqual(self.shapes("--shape", "whole", "--size", "4Ki,1000"), [((1000,), None), ((4096,), None)])
        columns = self.shapes("--shape", "columns", "--matrix-size", "8Ki")
        self.assertEqual(columns[:3], [((8192, 1), 0), ((1024, 8), 0), ((128, 64), 0)])
        self.assertEqual(columns[-1], ((1, 65536), 0), "at least one row")

    def test_unknown_names_are_refused_with_the_allowed_ones(self):
        for arguments, message in ((["--op", "dot"], "allowed are sum, mean, max, argmax"),
                                   (["--dtype", "u8"], "bf16"), (["--shape", "cube"], "whole, rows, columns, tensor"),
                                   (["--size", "1K"], "is no size"), (["--against", "jax"], "torch_compile")):
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as caught:
                bench.make_parser().parse_args(arguments)
            self.assertEqual(caught.exception.code, 2)
            self.assertIn(message, errors.getvalue())


class Sampling(unittest.TestCase):
    def test_a_sample_lasts_long_enough_and_has_at_most_1000_calls(self):
        for us, calls in ((1.0, 1000), (100.0, 50), (7000.0, 1)):
            clock = Clock()
            library = FakeLibrary(clock, us)
            subject = bench.Calls(library.call("sum", None, None), library.synchronize, clock)
            self.assertEqual(subject.calls, calls)
            self.assertAlmostEqual(subject.sample(), us)

    def test_a_sample_begins_and_ends_with_an_idle_device(self):
        order = []
        subject = bench.Calls(lambda: order.append("call"), lambda: order.append("wait"), Clock(), 2)
        del order[:]
        subject.sample()
        self.assertEqual(order, ["wait", "call", "call", "wait"])


class Verdict(unittest.TestCase):
    @staticmethod
    def verdict(redtune, **peers):
        return bench.verdict_of({"redtune": redtune, **peers})

    def test_it_is_that_against_the_best_of_them(self):
        self.assertEqual(self.verdict([2.0] * 24, torch=[4.0] * 24, cupy=[3.0] * 24), "faster")
        self.assertEqual(self.verdict([2.0] * 24, torch=[4.0] * 24, cupy=[1.0] * 24), "slower")
        self.assertEqual(self.verdict([2.0] * 24, torch=[4.0] * 24, cupy=[2.0] * 24), "tie")

    def test_it_needs_an_interval_that_does_not_reach_one(self):
        self.assertEqual(self.verdict([2.0] * 24, torch=[1.9, 2.2] * 12), "tie")

    def test_rounds_are_compared_with_each_other(self):
        drift = [1.0 + 0.1 * i for i in range(24)]
        self.assertEqual(self.verdict(drift, torch=[1.01 * us for us in drift]), "faster")

    def test_without_redtune_or_another_library_there_is_none(self):
        self.assertEqual(self.verdict([2.0] * 24), "")
        self.assertEqual(bench.verdict_of({"torch": [2.0] * 24}), "")


class Run(unittest.TestCase):
    def run_script(self, *arguments, torch=None, compiled=missing, cupy=missing, redtune=None):
        self.clock = Clock()
        library = lambda us, **options: lambda: FakeLibrary(self.clock, us, **options)
        peers = {"torch": torch or library(10), "torch_compile": compiled, "cupy": cupy}
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stderr(errors):
            code = bench.main(list(arguments), peers, redtune or library(5), out, self.clock)
        return code, out.getvalue(), errors.getvalue()

    def test_the_csv_has_exactly_these_columns(self):
        code, out, errors = self.run_script("--format", "csv", "--shape", "whole,tensor", "--size", "1Ki")
        self.assertEqual(code, 0, errors)
        self.assertEqual(out.splitlines()[0],
                         "op,dtype,shape,axis,redtune_us,torch_us,torch_compile_us,cupy_us,verdict")
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        self.assertEqual([(row["shape"], row["axis"]) for row in rows],
                         [("1024", ""), ("64x128x32x64", "1"), ("64x128x32x64", "2")])
        self.assertAlmostEqual(float(rows[0]["redtune_us"]), 5)
        self.assertAlmostEqual(float(rows[0]["torch_us"]), 10)
        self.assertEqual((rows[0]["torch_compile_us"], rows[0]["cupy_us"], rows[0]["verdict"]), ("", "", "faster"))
        self.assertIn("cupy is left out: No module named", errors)
        self.assertIn("torch's time over redtune's: 2.000, geometric mean of 3 cases", errors)

    def test_slower_cases_are_named_under_the_table(self):
        code, out, _ = self.run_script("--shape", "columns", "--matrix-size", "8Ki",
                                       cupy=lambda: FakeLibrary(self.clock, 4))
        self.assertEqual(code, 0)
        self.assertIn("slower: sum f32 1024x8 axis 0 (0.800)", out)
        self.assertIn("redtune_us", out.splitlines()[0])

    def test_what_a_library_cannot_do_is_empty_and_said(self):
        code, out, errors = self.run_script("--format", "csv", "--op", "mean", "--shape", "whole", "--size", "1Ki",
                                            cupy=lambda: FakeLibrary(self.clock, 4, refuses=("mean",)))
        row, = csv.DictReader(io.StringIO(out, newline=""))
        self.assertEqual((code, row["cupy_us"], row["verdict"]), (0, "", "faster"))
        self.assertIn("cupy has no time for mean of f32 1024, axis None: no mean", errors)

    def test_an_array_that_does_not_fit_is_left_out(self):
        code, out, errors = self.run_script("--format", "csv", "--shape", "whole", "--size", "1Ki,1Mi")
        self.assertEqual((code, len(out.splitlines())), (0, 2))
        self.assertIn("is left out: no room", errors)
        code, out, errors = self.run_script("--shape", "whole", "--size", "1Mi")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("nothing was compared", errors)

    def test_the_overhead_is_the_time_of_a_call_less_that_of_its_kernels(self):
        code, out, errors = self.run_script("--overhead", "--format", "csv", "--shape", "whole", "--size", "1Ki")
        self.assertEqual(code, 0, errors)
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        self.assertEqual(tuple(rows[0]), bench.OVERHEAD_COLUMNS)
        self.assertEqual([row["library"] for row in rows], ["redtune", "torch"])
        for row, overhead in zip(rows, (2, 7)):
            self.assertAlmostEqual(float(row["kernel_us"]), 3)
            self.assertAlmostEqual(float(row["overhead_us"]), overhead)

    def test_the_rows_are_also_written_into_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows.csv"
            self.run_script("--csv", str(file), "--shape", "tensor")
            with open(file, newline="", encoding="utf-8") as written:
                self.assertEqual(len(list(csv.DictReader(written))), 2)

    def test_without_redtune_or_any_other_library_it_ends_with_3(self):
        code, out, errors = self.run_script(torch=missing)
        self.assertEqual((code, out), (3, ""))
        self.assertIn("there is none of torch, torch_compile, cupy", errors)
        with mock.patch.dict(sys.modules, redtune=None):
            code, _, errors = self.run_script(redtune=bench.Redtune)
        self.assertEqual(code, 3)
        self.assertIn("pip install", errors)


class Libraries(unittest.TestCase):
    """Makes calls with mocks of the modules."""

    def open(self, library, **modules):
        patch = mock.patch.dict(sys.modules, modules)
        patch.start()
        self.addCleanup(patch.stop)
        return library()

    def test_the_axis_has_the_name_that_each_library_gives_it(self):
        torch, cupy, redtune = (mock.MagicMock(__version__="9.9") for _ in range(3))
        cupy.ndarray = tuple
        self.open(bench.Torch, torch=torch).call("max", "x", 1)()
        torch.amax.assert_called_once_with("x", dim=1)
        self.open(bench.Torch, torch=torch).call("sum", "x", None)()
        torch.sum.assert_called_once_with("x")
        self.open(bench.CuPy, cupy=cupy).call("max", "x", 1)()
        cupy.amax.assert_called_once_with(cupy.from_dlpack.return_value, axis=1)
        self.open(bench.Redtune, redtune=redtune).call("max", "x", 1)()
        redtune.max.assert_called_once_with("x", axis=1)

    def test_every_shape_is_compiled_anew(self):
        torch = mock.MagicMock(__version__="9.9")
        library = self.open(bench.TorchCompile, torch=torch, triton=mock.MagicMock())
        for axis in (0, 1):
            library.call("sum", "x", axis)()
        self.assertEqual(torch.compile.call_count, 2)
        self.assertEqual(torch.compiler.reset.call_count, 2)
        self.assertEqual(torch.compile.call_args.kwargs, {"dynamic": False, "mode": "max-autotune-no-cudagraphs"})
        torch.compile.return_value.assert_called_with("x")

    def test_without_triton_torch_compile_is_missing(self):
        with self.assertRaises(ImportError):
            self.open(bench.TorchCompile, torch=mock.MagicMock(__version__="9.9"), triton=None)


if __name__ == "__main__":
    unittest.main()
