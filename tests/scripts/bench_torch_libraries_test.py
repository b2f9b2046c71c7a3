"""Tests of the libraries that scripts/bench-torch times. Mocks replace the modules torch and cupy."""
import sys
import unittest
import weakref
from unittest import mock

from script_module import load_script

bench = load_script("bench-torch")

L2 = 60 << 20


class Libraries(unittest.TestCase):
    """Makes graphs with mocks of torch and cupy."""

    def open(self, peer, **modules):
        patch = mock.patch.dict(sys.modules, modules)
        patch.start()
        self.addCleanup(patch.stop)
        return peer()

    @staticmethod
    def torch():
        torch = mock.MagicMock(__version__="9.9")
        torch.cuda.get_device_properties.return_value.L2_cache_size = L2
        torch.cuda.Event.return_value.elapsed_time.return_value = 3.0
        return torch

    @staticmethod
    def tensor(*shape):
        return mock.Mock(shape=shape, dim=lambda: len(shape), ndim=len(shape), dtype="f32")

    def test_torch_reduces_the_last_axis_of_rows(self):
        torch = self.torch()
        peer = self.open(bench.Torch, torch=torch)
        inputs = [self.tensor(4, 1000), self.tensor(4, 1000)]
        self.assertEqual(peer.graph("max", inputs, 3, "warm").sample(), 1000, "3 ms of 3 calls")
        self.assertEqual([call.args[0] for call in torch.amax.call_args_list[-3:]], [inputs[0], inputs[1], inputs[0]])
        self.assertTrue(all(call.kwargs == {"dim": -1} for call in torch.amax.call_args_list))
        torch.sum.assert_not_called()

    def test_torch_reduces_whole_arrays_without_an_axis(self):
        torch = self.torch()
        self.open(bench.Torch, torch=torch).graph("argmin", [self.tensor(4000)], 2, "warm")
        self.assertTrue(all(call.kwargs == {} for call in torch.argmin.call_args_list))

    def test_each_input_of_torch_has_a_result_of_its_own(self):
        class Result:
            pass
        torch, made, alive = self.torch(), [], []

        def reduce(part):
            alive.append(sum(result() is not None for result in made))
            result = Result()
            made.append(weakref.ref(result))
            return result
        torch.amax.side_effect = reduce
        graph = self.open(bench.Torch, torch=torch).graph("max", [self.tensor(4000)] * 3, 6, "cold")
        self.assertEqual(alive[-6:], [0, 1, 2, 3, 3, 3], "the graph's calls find the results of the other inputs alive")
        self.assertEqual(sum(result() is not None for result in made), 3)
        self.assertEqual(graph.calls, 6)

    def test_sums_of_half_precision_have_f32_results(self):
        torch = self.torch()
        half = mock.Mock(shape=(4, 1000), dim=lambda: 2, ndim=2, dtype=torch.float16)
        peer = self.open(bench.Torch, torch=torch)
        peer.graph("sum", [half], 1, "warm")
        self.assertTrue(all(call.kwargs == {"dim": -1, "dtype": torch.float32} for call in torch.sum.call_args_list))
        peer.graph("max", [half], 1, "warm")
        self.assertTrue(all(call.kwargs == {"dim": -1} for call in torch.amax.call_args_list))
        cupy = mock.MagicMock(__version__="9.9")
        cupy.cuda.Device.return_value.attributes = {"L2CacheSize": L2}
        half.dtype = cupy.float16
        self.open(bench.CuPy, cupy=cupy).graph("sum", [half], 1, "warm")
        self.assertEqual(cupy.sum.call_args.kwargs["dtype"], cupy.float32)

    def test_compiled_functions_are_autotuned_once_for_each_shape(self):
        torch = self.torch()
        peer = self.open(bench.TorchCompile, torch=torch, triton=mock.MagicMock())
        for shape in ((4, 1000), (4, 1000), (8, 1000), (8000,)):
            peer.graph("sum", [self.tensor(*shape)], 2, "warm")
        self.assertEqual(torch.compile.call_count, 3)
        self.assertEqual(torch.compiler.reset.call_count, 3)
        self.assertEqual(torch.compile.call_args.kwargs, {"dynamic": False, "mode": "max-autotune-no-cudagraphs"})
        self.assertEqual(torch.compile.return_value.call_count, 4 * (3 + 2), "every call is one of a compiled function")
        torch.sum.assert_not_called()

    def test_without_triton_torch_compile_is_missing(self):
        with self.assertRaises(ImportError):
            self.open(bench.TorchCompile, torch=self.torch(), triton=None)

    def test_cupy_writes_to_arrays_that_exist(self):
        cupy = mock.MagicMock(__version__="9.9")
        cupy.cuda.Device.return_value.attributes = {"L2CacheSize": L2}
        cupy.cuda.get_elapsed_time.return_value = 2.0
        cupy.amax.side_effect = lambda part, axis, out=None: out or ("result of", part)
        peer = self.open(bench.CuPy, cupy=cupy)
        for shape, axis in (((4, 1000), -1), ((4000,), None)):
            cupy.amax.reset_mock()
            inputs = [self.tensor(*shape), self.tensor(*shape)]
            self.assertEqual(peer.graph("max", inputs, 4, "warm").sample(), 500)
            captured = cupy.amax.call_args_list[-4:]
            self.assertEqual([call.kwargs for call in captured],
                             [{"axis": axis, "out": ("result of", inputs[i % 2])} for i in range(4)])


if __name__ == "__main__":
    unittest.main()
