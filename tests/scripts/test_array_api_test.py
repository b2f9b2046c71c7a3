"""Tests of scripts/test-array-api: which tests of the suite it runs, and its table. Nothing here needs the suite."""
import collections
import contextlib
import io
import pathlib
import tempfile
import types
import unittest
from unittest import mock

from script_module import load_script

script = load_script("test-array-api")


def test_of(name, **parameters):
    """Returns a test as pytest collects it."""
    item = types.SimpleNamespace(originalname=name, nodeid=f"{name}{sorted(parameters)}")
    if parameters:
        item.callspec = types.SimpleNamespace(params=parameters)
    return item


def stub(name):
    return types.SimpleNamespace(__name__=name)


class Choice(unittest.TestCase):
    def test_a_test_is_that_of_a_function(self):
        for item, name in ((test_of("test_sum"), "sum"), (test_of("test_linalg_vecdot"), "vecdot"),
                           (test_of("test_vecdot_conj"), "vecdot"), (test_of("test_vector_norm"), "vector_norm"),
                           (test_of("test_nan_propagation", func_name="max"), "max"),
                           (test_of("test_func_signature", stub=stub("argmin")), "argmin"),
                           (test_of("test_std"), None), (test_of("test_cumulative_sum"), None),
                           (test_of("test_nan_propagation", func_name="std"), None),
                           (test_of("test_func_signature", stub=stub("cumulative_sum")), None)):
            self.assertEqual(script.function_of(item, script.FUNCTIONS), name, item.originalname)

    def test_other_tests_are_deselected(self):
        selection = script.Selection(["sum"])
        config = mock.Mock()
        items = [test_of("test_sum"), test_of("test_prod"), test_of("test_where")]
        deselected = items[1:]
        selection.pytest_collection_modifyitems(config, items)
        self.assertEqual([item.originalname for item in items], ["test_sum"])
        config.hook.pytest_deselected.assert_called_once_with(items=deselected)


class Table(unittest.TestCase):
    def test_a_row_has_the_outcomes_and_the_ways_of_a_function(self):
        selection = script.Selection(["sum", "all"])
        selection.function_of_test = {"a": "sum", "b": "sum", "c": "sum"}
        for nodeid, when, outcome in (("a", "setup", "passed"), ("a", "call", "passed"), ("a", "teardown", "passed"),
                                      ("b", "call", "failed"), ("c", "setup", "skipped")):
            selection.pytest_runtest_logreport(types.SimpleNamespace(nodeid=nodeid, when=when, outcome=outcome))
        rows = script.rows_of(selection, collections.Counter({("sum", "copied"): 7}))
        self.assertEqual(rows[0], {"function": "sum", "passed": 1, "failed": 1, "skipped": 1, "direct": 0, "copied": 7,
                                   "converted": 0, "base": 0})
        self.assertEqual(rows[1]["passed"], 0)


class Run(unittest.TestCase):
    """Runs of the script with a pytest that reports one test of each function."""

    def run_script(self, *arguments, code=0, missing=()):
        def pytest_main(options, plugins):
            self.options = options
            selection, = plugins
            for name in selection.functions:
                if name not in missing:
                    selection.function_of_test[name] = name
                    selection.pytest_runtest_logreport(types.SimpleNamespace(nodeid=name, when="call", outcome="passed"))
            return code

        namespace = types.SimpleNamespace(calls=collections.Counter())
        out, errors = io.StringIO(), io.StringIO()
        with tempfile.TemporaryDirectory() as suite, contextlib.chdir("."), contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(errors), mock.patch.dict("os.environ"), \
                mock.patch.dict("sys.modules", {"pytest": types.SimpleNamespace(main=pytest_main)}), \
                mock.patch.object(script, "make_namespace", lambda base: namespace):
            (pathlib.Path(suite) / "array_api_tests").mkdir()
            result = script.main([suite, *arguments])
        return result, out.getvalue(), errors.getvalue()

    def test_every_function_has_a_row(self):
        code, out, errors = self.run_script("--base", "cupy")
        self.assertEqual(code, 0, errors)
        self.assertEqual([line.split()[0] for line in out.split("\n\n")[-1].splitlines() if line],
                         ["function", *script.FUNCTIONS])

    def test_vecdot_of_pytorch_is_tested_by_itself(self):
        self.assertNotIn("vecdot", self.run_script()[1])
        self.assertIn("vecdot", self.run_script("--functions", "vecdot")[1])

    def test_arguments_go_to_pytest(self):
        self.run_script("--", "--max-examples", "7")
        self.assertEqual(self.options[-2:], ["--max-examples", "7"])

    def test_a_failed_or_missing_test_is_a_failure(self):
        self.assertEqual(self.run_script(code=1)[0], 1)
        code, _, errors = self.run_script(missing=["prod"])
        self.assertEqual(code, 1)
        self.assertIn("no test ran of prod", errors)

    def test_a_folder_that_is_no_suite_is_refused(self):
        errors = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(errors):
            self.assertEqual(script.main([folder]), 3)
        self.assertIn("array-api-tests", errors.getvalue())


if __name__ == "__main__":
    unittest.main()
