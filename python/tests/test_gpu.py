"""Results on a GPU against NumPy in float64, with PyTorch, CuPy and Numba where they are installed."""

import numpy
import pytest

import redtune

pytestmark = pytest.mark.gpu

FLOATS = {"float16": 2e-3, "float32": 1e-5, "float64": 1e-12}
INTEGERS = ["int8", "uint8", "int16", "int32", "int64"]
SHAPES = [(1,), (1000,), (1 << 20,), (3, 1000), (64, 8), (500, 1), (2, 3, 4096), (5, 300, 7), (3, 40, 5, 66)]


def numbers(dtype, shape):
    """Return positive values, so that a relative error bounds the result of a sum."""
    random = numpy.random.default_rng(len(shape) + shape[0])
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    if dtype in FLOATS:
        return random.uniform(0.5, 1.5, shape).astype(dtype)
    return random.integers(1, 4, shape).astype(dtype)


REDUCTIONS = ["sum", "mean", "min", "max", "argmin", "argmax", "any", "all", "norm", "sum_of_squares"]


def reference(name, values, axis):
    """Return the expected result of a function, computed by NumPy, that of sums in float64."""
    wide = values.astype(numpy.float64)
    if name in ("sum", "mean"):
        return getattr(wide, name)(axis=axis)
    if name in ("norm", "sum_of_squares"):
        squares = (wide * wide).sum(axis=axis)
        return numpy.sqrt(squares) if name == "norm" else squares
    return getattr(values, name)(axis=axis)


def cases():
    """Return pairs of a type and a shape. Sums of squares of float16 fit into float16 up to 64 Ki."""
    for dtype in [*FLOATS, *INTEGERS, "bool"]:
        for shape in SHAPES:
            if dtype != "float16" or numpy.prod(shape) <= 30_000:
                yield dtype, shape


def check(to_device, to_host, dtype, shape):
    """Compare all functions over all elements, over each axis, and over each pair of neighbouring axes."""
    values = numbers(dtype, shape)
    x = to_device(values)
    tolerance = FLOATS.get(dtype, 1e-12)
    pairs = [(first, first + 1) for first in range(len(shape) - 1)]
    for axis in [None, *range(len(shape)), *pairs]:
        names = [name for name in REDUCTIONS if not isinstance(axis, tuple) or name not in ("argmin", "argmax")]
        for name in names:
            expected = reference(name, values, axis)
            result = to_host(getattr(redtune, name)(x, axis=axis))
            assert result.shape == expected.shape, name
            numpy.testing.assert_allclose(result.astype(numpy.float64), expected.astype(numpy.float64), tolerance,
                                          err_msg=f"{name} over {axis}")


@pytest.mark.parametrize(("dtype", "shape"), list(cases()))
def test_torch(dtype, shape):
    torch = pytest.importorskip("torch")
    check(lambda values: torch.from_numpy(values).cuda(), lambda result: result.cpu().numpy(), dtype, shape)


@pytest.mark.parametrize(("dtype", "shape"), list(cases()))
def test_cupy(dtype, shape):
    cupy = pytest.importorskip("cupy")
    check(cupy.asarray, cupy.asnumpy, dtype, shape)


@pytest.mark.parametrize("name", ["sum", "prod", "sum_of_squares", "mean", "norm", "any", "all"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy warns of the mean of no elements
@pytest.mark.parametrize(("shape", "axis"), [((0,), 0), ((4, 0), 1), ((0, 4), 0), ((2, 0, 3), 1), ((0, 3), 1)])
def test_no_elements(name, shape, axis):
    torch = pytest.importorskip("torch")
    values = numpy.zeros(shape, numpy.float32)
    result = getattr(redtune, name)(torch.from_numpy(values).cuda(), axis=axis).cpu().numpy()
    expected = values.prod(axis=axis) if name == "prod" else reference(name, values, axis)
    numpy.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("shape", [(5000,), (40, 300)])
def test_numba(shape):
    cuda = pytest.importorskip("numba.cuda")
    values = numbers("float32", shape)
    result = redtune.sum(cuda.to_device(values), axis=-1)
    numpy.testing.assert_allclose(result.copy_to_host(), values.astype(numpy.float64).sum(axis=-1), 1e-5)


def test_torch_results_are_tensors_on_the_device_of_the_type_that_torch_has():
    torch = pytest.importorskip("torch")
    x = torch.rand(1000, device="cuda")
    for function, of_torch in [(redtune.sum, torch.sum), (redtune.mean, torch.mean), (redtune.max, torch.max),
                               (redtune.argmax, torch.argmax), (redtune.any, torch.any)]:
        result = function(x)
        assert isinstance(result, torch.Tensor) and result.shape == () and result.device == x.device
        assert result.dtype == of_torch(x).dtype
    assert redtune.sum(torch.ones(10, dtype=torch.bfloat16, device="cuda")).dtype == torch.bfloat16
    assert redtune.sum(torch.ones(10, dtype=torch.int32, device="cuda")).dtype == torch.int64


def test_the_attributes_of_torch_give_the_same_as_the_exchange_api():
    torch = pytest.importorskip("torch")

    class Old(torch.Tensor):  # a tensor of a PyTorch without the exchange API
        __dlpack_c_exchange_api__ = None

    x = torch.rand(40, 300, device="cuda")
    old = x.as_subclass(Old)
    assert torch.equal(redtune.sum(old, axis=-1), redtune.sum(x, axis=-1))


def test_prod_norm_and_vdot():
    torch = pytest.importorskip("torch")
    values = numpy.random.default_rng(2).uniform(0.999, 1.001, 10_000)
    x = torch.from_numpy(values).cuda()
    numpy.testing.assert_allclose(redtune.prod(x).item(), values.prod(), 1e-12)
    numpy.testing.assert_allclose(redtune.norm(x, ord=1).item(), values.sum(), 1e-12)
    numpy.testing.assert_allclose(redtune.vdot(x, 2 * x).item(), 2 * (values * values).sum(), 1e-12)
    cube, values = x.reshape(4, 25, 100), values.reshape(4, 25, 100)
    for axis in range(3):
        numpy.testing.assert_allclose(redtune.prod(cube, axis=axis).cpu(), values.prod(axis=axis), 1e-12)
        numpy.testing.assert_allclose(redtune.norm(cube, axis=axis, ord=1).cpu(), values.sum(axis=axis), 1e-12)
        expected = 2 * (values * values).sum(axis=axis)
        numpy.testing.assert_allclose(redtune.vdot(cube, 2 * cube, axis=axis).cpu(), expected, 1e-12)


def test_views_and_alignment():
    torch = pytest.importorskip("torch")
    x = torch.rand(100_001, device="cuda")
    for begin in range(1, 5):
        numpy.testing.assert_allclose(redtune.sum(x[begin:]).item(), x[begin:].double().sum().item(), 1e-5)
    matrix = x[:100_000].reshape(100, 1000)
    numpy.testing.assert_allclose(redtune.sum(matrix.T, axis=0).cpu(), matrix.double().sum(dim=1).cpu(), 1e-5)
    numpy.testing.assert_allclose(redtune.sum(matrix, axis=0).cpu(), matrix.double().sum(dim=0).cpu(), 1e-5)
    for begin in range(1, 5):
        columns = x[begin:begin + 99_000].reshape(99, 1000)
        numpy.testing.assert_allclose(redtune.sum(columns, axis=0).cpu(), columns.double().sum(dim=0).cpu(), 1e-5)
    with pytest.raises(redtune.UnsupportedError, match="needs a copy"):
        redtune.sum(matrix[:, ::2])


def test_the_current_stream_of_torch():
    torch = pytest.importorskip("torch")
    x = torch.ones(1 << 26, device="cuda")
    redtune.sum(x)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(20):
            x.mul_(2).div_(2)
        x.fill_(3)
        result = redtune.sum(x)  # in the stream, so after fill_
    stream.synchronize()
    assert result.item() == 3 * (1 << 26)


def test_a_graph_of_torch():
    torch = pytest.importorskip("torch")
    x = torch.ones(100_000, device="cuda")
    redtune.sum(x)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = redtune.sum(x)
    for value in (1, 5):
        x.fill_(value)
        graph.replay()
        assert result.item() == value * 100_000


def test_a_tensor_that_requires_a_gradient():
    torch = pytest.importorskip("torch")
    x = torch.rand(100, device="cuda", requires_grad=True)
    with pytest.raises(redtune.InputError, match=r"requires a gradient.*x\.detach"):
        redtune.sum(x)
    with torch.no_grad():
        assert redtune.sum(x).item() == redtune.sum(x.detach()).item()


def test_a_tensor_of_the_cpu():
    torch = pytest.importorskip("torch")
    with pytest.raises(redtune.InputError, match="on the CPU"):
        redtune.sum(torch.ones(4))


def test_several_devices():
    torch = pytest.importorskip("torch")
    for device in range(torch.cuda.device_count()):
        x = torch.full((1000,), device + 1.0, device=f"cuda:{device}")
        result = redtune.sum(x)
        assert result.device == x.device and result.item() == 1000 * (device + 1)
        assert torch.cuda.current_device() == 0
