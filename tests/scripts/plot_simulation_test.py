"""Tests of scripts/plot-simulation."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from script_module import load_script

plot_simulation = load_script("plot-simulation")
HEADER = "strategy,budget,screenings,share_percent,gpu_s,regret_percent,p95_percent,max_percent\n"


class PlotSimulation(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.csv = pathlib.Path(folder.name) / "simulation.csv"

    def test_rows_are_read_by_strategy(self):
        self.csv.write_text(HEADER + "random,12,12,1.8,0.027,6.8,30.5,44.1\nlocal,12,11,1.8,0.029,11,74,519\n"
                            "random,24,24,3.5,0.054,3.6,24.0,44.1\n", encoding="utf-8")
        strategies = plot_simulation.read_strategies(self.csv)
        self.assertEqual(list(strategies), ["random", "local"])
        self.assertEqual([row["p95_percent"] for row in strategies["random"]], [30.5, 24.0])

    def test_bad_files_are_named(self):
        for text in (None, HEADER, "strategy,budget\nrandom,many\n"):
            if text is not None:
                self.csv.write_text(text, encoding="utf-8")
            ended = subprocess.run([sys.executable, plot_simulation.__file__, self.csv, self.csv.with_suffix(".svg")],
                                   capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, 1)
            self.assertRegex(ended.stderr, "plot-simulation: ")


if __name__ == "__main__":
    unittest.main()
