"""Tests of scripts/counters with a stand-in for Nsight Compute."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/counters"
LOADER = importlib.machinery.SourceFileLoader("counters", str(SCRIPT))
sys.dont_write_bytecode = True  # No compiled file beside the script.
counters = importlib.util.module_from_spec(importlib.util.spec_from_loader("counters", LOADER))
LOADER.exec_module(counters)

CUB = "void cub::DeviceReduceKernel<cub::policy<float>, float *>(T2, T3)"
OURS = "void redtune::tile_per_block<redtune::Problem<redtune::Sum<float>>, 128>(redtune::Arguments<T1>)"

# A fake ncu that prints two launches of each kernel. The value is 1000 for the first metric, 2000 for the second and so
# on, plus the number of the launch.
STAND_IN = f"""#!/usr/bin/env python3
import sys
print("==PROF== Connected to process 1")
if "--bytes" in sys.argv and sys.argv[sys.argv.index("--bytes") + 1] == "2Ki":
    sys.exit(3)
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
print('"ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Unit","Metric Value"')
for launch, (name, grid) in enumerate([({CUB!r}, 4), ({OURS!r}, 8), ({CUB!r}, 4), ({OURS!r}, 8)]):
    for place, metric in enumerate(metrics):
        print(f'"{{launch}}","{{name}}","(128, 1, 1)","({{grid}}, 1, 1)","{{metric}}","","{{1000 * (place + 1) + launch:,}}"')
"""


class Counters(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.ncu = os.path.join(self.folder.name, "ncu")
        with open(self.ncu, "w", encoding="utf-8") as file:
            file.write(STAND_IN)
        os.chmod(self.ncu, 0o755)

    def run_script(self, *arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            counters.main(["--program", "bench", *arguments])
        return out.getvalue().splitlines()

    def test_a_line_for_each_kernel_with_medians(self):
        lines = self.run_script("--ncu", self.ncu, "--dtype", "f32", "--bytes", "1Ki")
        self.assertEqual(len(lines), 4)
        cub, ours = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
        self.assertEqual(cub[:3], ["sum f32 1KiB", "DeviceReduceKernel (CUB)", "4 x 128"])
        self.assertEqual(ours[:3], ["sum f32 1KiB", "tile_per_block", "8 x 128"])
        # gpu__time_duration is the first metric: 1000 and 1002 ns; bytes read the second, of 1024.
        self.assertEqual(cub[4:6], ["1.00", f"{2001 / 1024:.2f}"])
        self.assertTrue(cub[-1].startswith("lg_throttle"), cub[-1])

    def test_all_cells_are_profiled(self):
        self.assertEqual(len(self.run_script("--ncu", self.ncu, "--dtype", "f32,f16", "--bytes", "1Ki,4Ki")), 2 + 8)

    def test_without_ncu_or_gpu_it_ends_with_3(self):
        for arguments in (["--ncu", self.ncu + "-missing"], ["--ncu", self.ncu, "--bytes", "2Ki"]):
            with self.assertRaises(SystemExit) as ended:
                self.run_script(*arguments)
            self.assertEqual(ended.exception.code, 3)

    def test_every_profiled_kernel_of_redtune_exists(self):
        templates = {path.stem for path in (SCRIPT.parents[1] / "templates").glob("*.cuh")}
        names = {name.strip("^$") for name in counters.KERNELS.split("|")}
        self.assertEqual(names - templates, {"DeviceReduce", "combine_partials"})
        self.assertIn("grid_stride_wide", names)

    def test_names_and_sizes(self):
        self.assertEqual(counters.kernel_name(CUB), "DeviceReduceKernel (CUB)")
        self.assertEqual(counters.kernel_name("redtune::grid_stride_wide(int)"), "grid_stride_wide")
        self.assertEqual([counters.bytes_of(size) for size in ("512", "4Ki", "1Gi")], [512, 4096, 1 << 30])


if __name__ == "__main__":
    unittest.main()
