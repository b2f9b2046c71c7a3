"""The ways to read arrays of PyTorch (before 2.10), CuPy and Numba, with modules that stand in for them, over the simulated driver."""

import sys
import types

import numpy
import pytest

import redtune

pytestmark = pytest.mark.simulated


class Stream:
    """A stream under the name that each library gives its handle."""

    cuda_stream = ptr = 0


def of_torch():
    """Return a module like PyTorch's and a function that makes a tensor."""

    class Tensor:
        def __init__(self, values):
            self.values = values
            self.dtype = getattr(torch, values.dtype.name)
            self.device = types.SimpleNamespace(type="cuda", index=0)
            self.shape = values.shape
            self.requires_grad = False

        def data_ptr(self):
            return self.values.ctypes.data

        def stride(self):
            return tuple(stride // self.values.itemsize for stride in self.values.strides)

    class DType:
        def __init__(self, name):
            self.name_of_type = name

        def __str__(self):
            return f"torch.{self.name_of_type}"

    torch = types.ModuleType("torch")
    for name in ("bool", "int32", "int64", "float32", "float64", "complex64"):
        setattr(torch, name, DType(name))
    torch.Tensor = Tensor
    torch.asked = []
    torch.cuda = types.SimpleNamespace(current_stream=lambda device: torch.asked.append(device) or Stream)
    torch.empty = lambda shape, dtype, device: Tensor(numpy.full(shape, 77, dtype.name_of_type))
    torch.is_grad_enabled = lambda: True
    return torch, Tensor


def of_cupy():
    """Return a module like CuPy's and a function that makes an array."""

    class ndarray:
        def __init__(self, values):
            self.values = values
            self.dtype, self.shape, self.strides = values.dtype, values.shape, values.strides
            self.device = types.SimpleNamespace(id=0)
            self.data = types.SimpleNamespace(ptr=values.ctypes.data)

    cupy = types.ModuleType("cupy")
    cupy.ndarray = ndarray
    cupy.asked = []
    cupy.cuda = types.SimpleNamespace(get_current_stream=lambda: cupy.asked.append(0) or Stream)
    cupy.empty = lambda shape, dtype: ndarray(numpy.full(shape, 77, dtype))
    return cupy, ndarray


@pytest.fixture(params=["torch", "cupy"])
def library(request, monkeypatch):
    module, make = {"torch": of_torch, "cupy": of_cupy}[request.param]()
    monkeypatch.setitem(sys.modules, request.param, module)
    return module, make


def test_sums_come_back_in_the_library(library):
    module, make = library
    values = numpy.arange(1200, dtype=numpy.float32).reshape(3, 400) % 17
    for axis, expected in [(None, values.sum()), (1, values.sum(axis=1))]:
        result = redtune.sum(make(values), axis=axis)
        assert type(result) is make
        numpy.testing.assert_array_equal(result.values, expected)
    numpy.testing.assert_array_equal(redtune.sum(make(values.T), axis=0).values, values.sum(axis=1))
    assert module.asked, "the library was asked for its current stream"


def test_results_of_other_types(library):
    _, make = library
    assert redtune.argmax(make(numpy.ones(8, numpy.float32))).values.dtype == numpy.int64
    assert redtune.any(make(numpy.ones(8, numpy.int32))).values.dtype == numpy.bool_
    with pytest.raises(redtune.InputError, match="elements of type .*complex64; allowed are bool"):
        redtune.sum(make(numpy.ones(8, numpy.complex64)))


def test_a_tensor_on_another_device_or_with_a_gradient(monkeypatch):
    module, make = of_torch()
    monkeypatch.setitem(sys.modules, "torch", module)
    x = make(numpy.ones(8, numpy.float32))
    x.requires_grad = True
    with pytest.raises(redtune.InputError, match="requires a gradient"):
        redtune.sum(x)
    module.is_grad_enabled = lambda: False
    assert redtune.sum(x).values == 8
    x.device.type = "cpu"
    with pytest.raises(redtune.InputError, match="x is a Tensor on the device cpu"):
        redtune.sum(x)


def test_an_array_of_numba(monkeypatch):
    made = []

    def device_array(shape, dtype, stream):
        made.append(stream)
        return DeviceNDArray(numpy.full(shape, 77, dtype), stream)

    class DeviceNDArray:
        __module__ = "numba.cuda.cudadrv.devicearray"

        def __init__(self, values, stream=0):
            self.values, self.stream = values, stream
            self.dtype = values.dtype

        @property
        def __cuda_array_interface__(self):
            return {**self.values.__array_interface__, "version": 3, "stream": self.stream or None}

    numba, cuda = types.ModuleType("numba"), types.ModuleType("numba.cuda")
    cuda.device_array = device_array
    cuda.external_stream = lambda handle: handle
    numba.cuda = cuda
    monkeypatch.setitem(sys.modules, "numba", numba)
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda)
    values = numpy.ones((3, 50), numpy.float32)
    result = redtune.sum(DeviceNDArray(values), axis=1)
    assert isinstance(result, DeviceNDArray) and result.values.tolist() == [50, 50, 50]
    assert redtune.sum(DeviceNDArray(values), stream=2).values == 150
    assert made == [0, 2]
