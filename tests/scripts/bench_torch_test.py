"""Tests of scripts/bench-torch. FakePeer replaces a library, and a shell script replaces redtune-bench."""
import contextlib
import csv
import io
import os
import pathlib
import statistics
import tempfile
import unittest

from script_module import load_script

bench = load_script("bench-torch")
import benchmark_rounds  # load_script() has put its folder on the path

L2 = 60 << 20


class FakePeer:
    """A library whose calls take 10 us at any size. `made` has the arguments of every graph that it made."""
    version = "9.9"
    l2_bytes = L2
    made = []

    def has(self, op, dtype):
        return dtype != "bf16"

    def values(self, dtype, count):
        return range(count)

    def as_rows(self, part, row_length):
        return [part[i:i + row_length] for i in range(0, len(part), row_length)]

    def graph(self, op, inputs, calls, regime):
        FakePeer.made.append((op, [len(part) for part in inputs], calls, regime))
        return bench.Graph(lambda: 10.0 * calls, calls, None)

    def release(self):
        pass


class MissingPeer:
    def __init__(self):
        raise ImportError("No module named 'torch'")


class BlindPeer:
    def __init__(self):
        raise bench.Failure("it sees no GPU", 3)


class Sizes(unittest.TestCase):
    def test_sizes_ranges_and_lists(self):
        self.assertEqual(bench.parse_sizes("4096"), [4096])
        self.assertEqual(bench.parse_sizes("1Ki..4Ki"), [1024, 2048, 4096])
        self.assertEqual(bench.parse_sizes("1Mi,3Ki..7Ki,6Ki"), [3072, 6144, 1 << 20])

    def test_other_text_is_refused(self):
        for text in ("", "K", "1K", "1.5Ki", "-1", "0", "4Ki..1Ki", "..1Ki", "1Ki..", "1Kii", "²"):
            with self.assertRaises(bench.argparse.ArgumentTypeError, msg=text):
                bench.parse_sizes(text)


class Options(unittest.TestCase):
    def refused(self, *arguments):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as caught:
            bench.make_parser().parse_args(arguments)
        self.assertEqual(caught.exception.code, 2)
        return errors.getvalue()

    def test_defaults_are_read_like_options(self):
        asked = bench.make_parser().parse_args([])
        self.assertEqual((asked.op, asked.dtype, asked.regime), (["sum"], ["f32"], ["cold"]))
        self.assertEqual(asked.against, ["torch", "torch_compile", "cupy"])
        self.assertEqual((asked.shape, asked.size, asked.bytes[0], asked.bytes[-1]), (0, None, 1024, 256 << 20))

    def test_a_shape_is_whole_or_rows(self):
        self.assertEqual(bench.parse_shape("rows:1000"), 1000)
        for text in ("rows", "rows:", "rows:1", "rows:1Ki", "row:4", "whole:4", "rows:-4", "rows:²"):
            with self.assertRaises(bench.argparse.ArgumentTypeError, msg=text):
                bench.parse_shape(text)

    def test_sizes_are_bytes_or_elements_of_whole_rows(self):
        def sizes(*arguments, dtype="f32"):
            return bench.sizes_in_bytes(bench.make_parser().parse_args(arguments), dtype)
        self.assertEqual(sizes("--size", "1000,3"), [12, 4000])
        self.assertEqual(sizes("--size", "1000,3", dtype="f16"), [6, 2000])
        self.assertEqual(sizes("--bytes", "8000", "--shape", "rows:1000"), [8000])
        for arguments in (["--bytes", "6"], ["--bytes", "6000", "--shape", "rows:1000"],
                          ["--size", "1001", "--shape", "rows:1000"]):
            with self.assertRaises(bench.Failure) as caught:
                sizes(*arguments)
            self.assertEqual(caught.exception.exit_code, 2)
        self.assertIn("whole rows of 1000 elements of f32; give a multiple of 4000 bytes, or of 1000 elements",
                      str(caught.exception))
        self.assertIn("not allowed with", self.refused("--bytes", "4", "--size", "1"))

    def test_lists_have_each_item_once(self):
        self.assertEqual(bench.make_parser().parse_args(["--op", "max,sum,max"]).op, ["max", "sum"])

    def test_unknown_names_are_refused_with_the_allowed_ones(self):
        self.assertIn("allowed are sum, max, argmin", self.refused("--op", "dot"))
        self.assertIn("bf16", self.refused("--dtype", "u8"))
        self.assertIn("allowed are cold, warm", self.refused("--regime", "tepid"))
        self.assertIn("allowed are torch, torch_compile, cupy", self.refused("--against", "jax"))
        self.assertIn("is no size", self.refused("--bytes", "1K"))


class Plan(unittest.TestCase):
    def test_cold_inputs_span_more_than_3_l2_however_small(self):
        for size in (1024, 1 << 20, 60 << 20, 1 << 30):
            for call_us in (1.5, 20, 3000):
                calls, inputs, stride = bench.plan(call_us, size, "cold", L2)
                if calls > 1:
                    self.assertGreater(inputs * stride, 3 * L2)
                self.assertGreaterEqual(stride, size)
                self.assertLessEqual(inputs, calls)
                self.assertEqual(stride % benchmark_rounds.ALIGNMENT, 0)

    def test_a_sample_lasts_long_enough_and_has_at_most_1000_calls(self):
        self.assertEqual(bench.plan(0.5, 1024, "cold", L2)[0], 1000)
        self.assertEqual(bench.plan(100, 1024, "cold", L2)[0], 20)
        self.assertEqual(bench.plan(5000, 1024, "cold", L2)[0], 1)

    def test_a_warm_input_is_one(self):
        self.assertEqual(bench.plan(2, 1000, "warm", L2), (1000, 1, 1024))


class Statistics(unittest.TestCase):
    def test_turns_go_there_and_back(self):
        order = []

        class Contender:
            def __init__(self, name):
                self.name = name

            def sample(self):
                order.append(self.name)
                return len(order)
        samples = bench.in_turns({name: Contender(name) for name in "ab"}, rounds=2)
        self.assertEqual(order, ["a", "b", "b", "a"])
        self.assertEqual(samples, {"a": [1, 4], "b": [2, 3]})

    def test_the_interval_holds_the_median_and_is_the_same_again(self):
        samples = [1 + 0.01 * (i * 7 % 24) for i in range(24)]
        low, high = bench.median_interval(samples)
        self.assertLess(low, statistics.median(samples))
        self.assertGreater(high, statistics.median(samples))
        self.assertEqual(bench.median_interval(samples), (low, high))
        self.assertEqual(bench.median_interval([2.0] * 24), (2, 2))

    def test_a_ratio_spans_both_of_redtunes_times(self):
        row = bench.compare_with_redtune([[4.0] * 24], 1, 4)
        self.assertEqual((row["redtune_us"], row["ratio"]), (2, 2))
        self.assertEqual((row["ratio_low"], row["ratio_high"], row["verdict"]), (1, 4, "tie"))

    def test_a_ratio_spans_the_times_in_all_places(self):
        row = bench.compare_with_redtune([[1.0] * 24, [4.0] * 24], 1, 1)
        self.assertEqual((row["peer_us"], row["ratio_low"], row["ratio_high"], row["verdict"]), (2, 1, 4, "tie"))

    def test_verdicts_need_an_interval_that_does_not_reach_one(self):
        self.assertEqual(bench.compare_with_redtune([[4.0] * 24], 2, 2)["verdict"], "faster")
        self.assertEqual(bench.compare_with_redtune([[1.0] * 24], 2, 2)["verdict"], "slower")
        self.assertEqual(bench.compare_with_redtune([[2.0] * 24], 2, 2)["verdict"], "tie")


def times(redtune_us, cub_us, low=1.0, high=1.0):
    """Returns the columns of a row of redtune-bench that the script reads."""
    return {"op": "max", "dtype": "f32", "regime": "cold", "n": "4000", "redtune_us": str(redtune_us),
            "cub_us": str(cub_us), "ratio_low": str(low), "ratio_high": str(high)}


class Rows(unittest.TestCase):
    """Merges the times of all libraries into the row of an array of rows."""

    @staticmethod
    def merge(results, before=times(2, 6, 2.9, 3.1), after=times(2, 6, 2.9, 3.1)):
        return bench.merged_row(1000, (before, after), {name: bench.compare_with_redtune([[us] * 24], 2, 2)
                                                         for name, us in results.items()})

    def test_a_row_has_every_library_and_those_that_are_missing_are_empty(self):
        row = self.merge({"torch": 8.0, "cupy": 4.0}, before=times(1, 9, 2, 3), after=times(4, 4, 2, 3))
        self.assertEqual(set(row), set(bench.ROW_COLUMNS))
        self.assertEqual((row["rows"], row["row_length"], row["redtune_us"], row["cub_us"]), (4, 1000, 2, 6))
        self.assertEqual((row["torch_us"], row["torch_compile_us"], row["cupy_us"]), (8, "", 4))

    def test_the_verdict_is_that_against_the_best_of_them(self):
        self.assertEqual(self.merge({"torch": 8.0, "torch_compile": 4.0})["verdict"], "faster")
        self.assertEqual(self.merge({"torch": 8.0, "torch_compile": 1.0})["verdict"], "slower")
        self.assertEqual(self.merge({"torch": 8.0, "torch_compile": 2.0})["verdict"], "tie")

    def test_cub_counts_with_the_intervals_of_both_runs(self):
        self.assertEqual(self.merge({"torch": 8.0}, before=times(2, 1, 0.9, 0.95))["verdict"], "tie")
        self.assertEqual(self.merge({"torch": 8.0}, times(2, 1, 0.9, 0.95), times(2, 1, 0.8, 0.9))["verdict"], "slower")

    def test_the_summary_has_a_mean_of_each_library_that_is_there(self):
        lines = bench.summary_of_merged_rows([self.merge({"torch": 8.0}), self.merge({"torch": 1.0})])
        self.assertEqual(lines, ["cub's time over redtune's: 3.000, geometric mean of 2 cells",
                                 "torch's time over redtune's: 1.414, geometric mean of 2 cells",
                                 "slower: max f32 4 rows of 1000 cold (0.500)"])


class Run(unittest.TestCase):
    """Runs the whole script with a fake redtune-bench: 1 and 2 KiB are tuned, and its first run reports 4 us, its
    second 5 us."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        FakePeer.made = []

    def program(self, exit_code=0, rows=True):
        path = self.folder / "redtune-bench"
        lines = ["op,dtype,bytes,n,regime,alignment,redtune_us,cub_us,ratio_low,ratio_high,configuration"]
        if rows:
            lines += [f'sum,f32,{size},{size // 4},cold,aligned,$us,9,1.9,2.1,"single_block(block=32, unroll=2)"'
                      for size in (1024, 2048)]
        text = "\n".join(lines).replace('"', '\\"')
        path.write_text(f"""#!/bin/sh
echo "$@" >>{self.folder}/calls
us=$(($(wc -l <{self.folder}/calls) + 3))
printf '%s\\r\\n' "{text}"
echo 'sum f32 4KiB cold aligned: not tuned' >&2
exit {exit_code}
""", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def run_script(self, *arguments, peers=None, **program):
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stderr(errors):
            code = bench.main(["--bytes", "1Ki..4Ki", "--program", self.program(**program), *arguments],
                              peers or {"torch": FakePeer, "torch_compile": MissingPeer, "cupy": MissingPeer}, out)
        return code, out.getvalue(), errors.getvalue()

    def test_redtune_is_timed_before_and_after_and_a_missing_library_left_out(self):
        file = self.folder / "rows.csv"
        code, out, errors = self.run_script("--csv", str(file))
        self.assertEqual(code, 0, errors)
        self.assertIn("cupy is left out: No module named", errors)
        self.assertIn("4KiB cold aligned: not tuned", errors)
        self.assertIn("timed by redtune-bench in the same run, right before and right after", out)
        self.assertIn("torch's time over redtune's: 2.236, geometric mean of 2 cells", out)
        with open(file, newline="", encoding="utf-8") as written:
            rows = list(csv.DictReader(written))
        self.assertEqual([row["bytes"] for row in rows], ["1024", "2048"])
        self.assertEqual((rows[0]["redtune_before_us"], rows[0]["redtune_after_us"]), ("4.0", "5.0"))
        self.assertEqual((rows[0]["peer"], rows[0]["peer_us"], rows[0]["verdict"]), ("torch", "10.0", "faster"))
        self.assertEqual(rows[0]["configuration"], "single_block(block=32, unroll=2)")
        calls = (self.folder / "calls").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(calls), 2)
        self.assertEqual(calls[0], "--op sum --dtype f32 --regime cold --bytes 1024,2048,4096 --determinism any "
                                   "--format csv")

    def test_a_probe_says_how_many_calls_a_sample_has(self):
        self.run_script()
        self.assertEqual([calls for _, _, calls, _ in FakePeer.made], [20, 200] * bench.PLACES * 2, "of 2 sizes")
        self.assertTrue(all(set(parts) == {256} for _, parts, _, _ in FakePeer.made[:2]))

    def test_rows_have_the_times_of_all_libraries_side_by_side(self):
        code, out, errors = self.run_script("--shape", "rows:256", "--format", "csv")
        self.assertEqual(code, 0, errors)
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        self.assertEqual(tuple(rows[0]), bench.ROW_COLUMNS)
        self.assertEqual([(row["rows"], row["row_length"]) for row in rows], [("1", "256"), ("2", "256")])
        self.assertEqual((rows[0]["cub_us"], rows[0]["torch_us"], rows[0]["torch_compile_us"]), ("9.0", "10.0", ""))
        self.assertEqual(rows[0]["verdict"], "faster")
        self.assertEqual(FakePeer.made[-1][1][0], 2, "an input of 2 KiB has 2 rows")
        self.assertIn("--shape rows:256", (self.folder / "calls").read_text(encoding="utf-8"))
        self.assertIn("cub's time over redtune's", errors)
        self.assertIn("rows  row_length", self.run_script("--shape", "rows:256")[1], "the table")

    def test_sizes_that_are_not_whole_rows_are_refused_before_anything_runs(self):
        code, out, errors = self.run_script("--shape", "rows:1000")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("1024 bytes are not whole rows of 1000 elements", errors)

    def test_csv_on_stdout_is_nothing_but_csv(self):
        code, out, errors = self.run_script("--format", "csv")
        self.assertEqual(code, 0)
        self.assertEqual(len(list(csv.DictReader(io.StringIO(out, newline="")))), 2)
        self.assertIn("geometric mean", errors)

    def test_slower_cells_are_named(self):
        self.assertEqual(bench.summary([{"op": "sum", "dtype": "f32", "bytes": 1024, "regime": "cold", "peer": "torch",
                                         "ratio": 0.5, "verdict": "slower"}])[1],
                         "slower: sum f32 1024 B cold than torch (0.500)")

    def test_without_either_library_it_ends_with_3(self):
        for missing in (MissingPeer, BlindPeer):
            code, out, errors = self.run_script(peers={"torch": missing, "torch_compile": missing, "cupy": missing})
            self.assertEqual((code, out), (3, ""))
            self.assertIn("there is none of torch, torch_compile, cupy", errors)

    def test_where_nothing_is_tuned_it_ends_with_4(self):
        code, _, errors = self.run_script(exit_code=4, rows=False)
        self.assertEqual(code, 4)
        self.assertIn("tune first", errors)

    def test_a_redtune_bench_that_fails_is_passed_on(self):
        for exit_code, ours in ((2, 2), (3, 3), (1, 1), (9, 1)):
            code, _, errors = self.run_script(exit_code=exit_code)
            self.assertEqual(code, ours)
            self.assertIn("not tuned", errors, "its stderr is shown")

    def test_a_type_that_a_library_has_not_is_said(self):
        code, _, errors = self.run_script("--dtype", "bf16")
        self.assertEqual(code, 4)
        self.assertIn("torch has no sum of bf16", errors)

    def test_a_program_that_is_none_is_refused(self):
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(bench.main(["--program", str(self.folder), "--against", "torch"], {"torch": FakePeer}), 2)
        self.assertIn("is no program", errors.getvalue())
        self.assertEqual(bench.find_program(None, {"REDTUNE_BENCH_PROGRAM": self.program()}), [self.program()])


if __name__ == "__main__":
    os.environ.pop("REDTUNE_BENCH_PROGRAM", None)
    unittest.main()
