"""Calls over the simulated driver, whose device memory is host memory, and which computes sums of f32."""

import numpy
import pytest

import redtune
from arrays import CapsuleArray, ExchangeArray, InterfaceArray
from simulated import Stream, array_sum, floats

pytestmark = pytest.mark.simulated


@pytest.mark.parametrize("n", [0, 1, 5, 1000, 70_001, 1 << 20])
@pytest.mark.parametrize("kind", [InterfaceArray, CapsuleArray, ExchangeArray])
def test_sum_of_a_whole_array(kind, n):
    values = floats(n)
    assert array_sum(kind(values), ()) == values.sum()


def test_an_unversioned_capsule():
    values = floats(100)
    assert array_sum(CapsuleArray(values, versioned=False), ()) == values.sum()


def runs_of_axes(dimensions):
    """Return every axis, from both ends, every tuple of neighbouring axes, and None."""
    tuples = [tuple(range(first, end)) for end in range(1, dimensions + 1) for first in range(end)]
    return [None, *range(-dimensions, dimensions), *tuples, *(axes[::-1] for axes in tuples if len(axes) > 1)]


SHAPES = [(70,), (1,), (0,), (1, 6), (6, 1), (6, 50), (0, 4), (4, 0), (300, 2), (3, 4, 50), (5, 1, 7), (1, 1, 1), (2, 0, 3),
          (2, 3, 4, 5), (1, 3, 1, 5), (3, 1, 1, 2), (2, 3, 0, 5), (0, 3, 0, 5), (2, 70, 65, 3)]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(("shape", "axis"), [(shape, axis) for shape in SHAPES for axis in runs_of_axes(len(shape))])
def test_axes_and_keepdims(shape, axis, keepdims):
    values = floats(*shape)
    expected = values.sum(axis=axis, keepdims=keepdims)
    result = array_sum(InterfaceArray(values), expected.shape, axis=axis, keepdims=keepdims)
    numpy.testing.assert_array_equal(result, expected)
    made = redtune.sum(ExchangeArray(values), axis=axis, keepdims=keepdims)
    numpy.testing.assert_array_equal(made.values, expected, strict=True)


@pytest.mark.parametrize("shape", [(200_000, 1), (200_000, 0), (1, 200_000), (3, 1, 70_001)])
def test_many_results_of_one_element_or_none(shape):
    values = floats(*shape)
    expected = values.sum(axis=1)
    numpy.testing.assert_array_equal(array_sum(InterfaceArray(values), expected.shape, axis=1), expected)


@pytest.mark.parametrize(("name", "dtype"), [("sum", "float16"), ("sum", "int64"), ("prod", "uint64"), ("mean", "float64"),
                                             ("min", "int8"), ("max", "float16"), ("max", "bool")])
@pytest.mark.parametrize(("shape", "axis"), [((300, 1), 1), ((300, 1, 7), (1,)), ((1, 300), 0), ((1,), None)])
def test_results_of_one_element_each_are_copied_without_a_kernel(name, dtype, shape, axis):
    redtune.clear_cache()
    values = floats(*shape).astype(dtype)
    expected = values.max(axis=axis)
    result = getattr(redtune, name)(ExchangeArray(values), axis=axis)
    numpy.testing.assert_array_equal(result.values, expected, strict=True)
    assert redtune.cached_reductions() == 0


def test_axes_in_memory_order_need_no_copy():
    values = floats(6, 50)
    numpy.testing.assert_array_equal(array_sum(InterfaceArray(values.T), (6,), axis=0), values.sum(axis=1))
    numpy.testing.assert_array_equal(array_sum(InterfaceArray(values.T), (50,), axis=1), values.sum(axis=0))
    assert array_sum(InterfaceArray(values.T), ()) == values.sum()
    cube = floats(2, 5, 1, 9)
    result = array_sum(InterfaceArray(cube.transpose(3, 0, 2, 1)), (2, 1), axis=(0, 3))
    numpy.testing.assert_array_equal(result, cube.sum(axis=(1, 3)).reshape(2, 1))
    swapped = floats(4, 5, 6, 7).transpose(0, 2, 1, 3)  # the reduced axes lie in memory in another order
    result = array_sum(InterfaceArray(swapped), (4, 7), axis=(1, 2))
    numpy.testing.assert_array_equal(result, swapped.sum(axis=(1, 2)))


@pytest.mark.parametrize("shape", [(2, 3), (6, 50, 7), (2, 3, 4, 5)])
def test_arrays_in_fortran_order(shape):
    values = numpy.asfortranarray(floats(*shape))
    for axis in range(len(shape)):
        expected = values.sum(axis=axis)
        if expected.ndim == 1:
            numpy.testing.assert_array_equal(array_sum(InterfaceArray(values), expected.shape, axis=axis), expected)
        else:
            with pytest.raises(redtune.UnsupportedError, match="another order than the results need"):
                array_sum(InterfaceArray(values), expected.shape, axis=axis)
    for axes in [tuple(range(1, len(shape))), tuple(range(len(shape) - 1))]:
        expected = values.sum(axis=axes)
        numpy.testing.assert_array_equal(array_sum(InterfaceArray(values), expected.shape, axis=axes), expected)


def test_one_row_counts_as_a_whole_array():
    values = floats(1, 500)
    numpy.testing.assert_array_equal(array_sum(InterfaceArray(values), (1,), axis=1), values.sum(axis=1))


def test_no_rows_have_no_results():
    assert array_sum(InterfaceArray(floats(0, 4)), (0,), axis=1).shape == (0,)


def test_a_slice_of_a_dense_array_that_is_dense_itself():
    values = floats(8, 100)
    numpy.testing.assert_array_equal(array_sum(InterfaceArray(values[2:5]), (3,), axis=1), values[2:5].sum(axis=1))


def test_results_come_back_in_the_library_of_the_input():
    values = floats(4, 300)
    total = redtune.sum(ExchangeArray(values))
    assert isinstance(total, ExchangeArray)
    assert total.values.shape == () and total.values.dtype == numpy.float32 and total.values == values.sum()
    rows = redtune.sum(ExchangeArray(values), axis=-1, keepdims=True)
    numpy.testing.assert_array_equal(rows.values, values.sum(axis=-1, keepdims=True))


@pytest.mark.parametrize(
    ("name", "dtype", "options", "result"),
    [
        ("sum", "float16", {}, "float16"),
        ("sum", "float16", {"dtype": "float32"}, "float32"),
        ("sum", "float32", {"dtype": numpy.float64}, "float64"),
        ("sum", "float64", {}, "float64"),
        ("sum", "int8", {}, "int64"),
        ("sum", "int32", {}, "int64"),
        ("sum", "int32", {"dtype": numpy.dtype("int32")}, "int32"),
        ("sum", "uint8", {}, "uint64"),
        ("sum", "uint8", {"dtype": "int64"}, "int64"),
        ("sum", "bool", {}, "int64"),
        ("prod", "int16", {}, "int64"),
        ("sum_of_squares", "float32", {}, "float32"),
        ("mean", "float16", {}, "float16"),
        ("mean", "int32", {}, "float64"),
        ("mean", "bool", {}, "float64"),
        ("min", "int8", {}, "int8"),
        ("max", "bool", {}, "bool"),
        ("max", "uint64", {}, "uint64"),
        ("argmin", "float16", {}, "int64"),
        ("argmax", "bool", {}, "int64"),
        ("any", "float32", {}, "bool"),
        ("all", "bool", {}, "bool"),
        ("norm", "float32", {}, "float32"),
        ("norm", "float16", {"ord": 1}, "float16"),
        ("norm", "int32", {"ord": 1}, "float64"),
    ],
)
@pytest.mark.parametrize("axis", [None, -1, 0])
def test_result_types_are_those_of_the_array_api(name, dtype, options, result, axis):
    made = getattr(redtune, name)(ExchangeArray(numpy.ones((4, 64), dtype)), axis=axis, **options)
    assert made.values.dtype == numpy.dtype(result)


def test_vdot_of_two_arrays():
    x = ExchangeArray(floats(1000))
    assert redtune.vdot(x, ExchangeArray(floats(1000))).values.dtype == numpy.float32
    with pytest.raises(redtune.InputError, match="vdot takes no bool array"):
        redtune.vdot(ExchangeArray(numpy.ones(4, bool)), ExchangeArray(numpy.ones(4, bool)))


@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (0, 4, 3)])
def test_arrays_without_elements_are_in_c_order_whatever_their_strides(shape):
    values = floats(*shape)
    assert set(values.strides) == {0}
    assert redtune.vdot(ExchangeArray(values), ExchangeArray(values), axis=-1).values.shape == shape[:-1]
    out = numpy.zeros((0, 2), numpy.float32)
    assert array_sum(InterfaceArray(floats(0, 5, 2)), out.shape, axis=1).shape == out.shape


def test_arrays_without_a_library_need_out():
    message = r"type InterfaceArray for the result; give one as out \(shape \(3,\), float32\)"
    with pytest.raises(redtune.InputError, match=message):
        redtune.sum(InterfaceArray(floats(3, 4)), axis=1)


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (InterfaceArray(numpy.zeros((), numpy.float64)), "out has elements of type float64, and the result has float32"),
        (InterfaceArray(numpy.zeros(1, numpy.float32)), r"out has the shape \(1\), and the result has \(\)"),
        (InterfaceArray(numpy.zeros((), numpy.float32), data=(16, True)), "must not be read-only"),
        (CapsuleArray(numpy.zeros((), numpy.float32), read_only=True), "must not be read-only"),
        (CapsuleArray(numpy.zeros((), numpy.float32), (2, 1)), "out is on device 1, and the array on 0"),
        (numpy.zeros((), numpy.float32), "out is a ndarray on the CPU"),
    ],
)
def test_an_out_that_does_not_fit_is_refused(out, message):
    with pytest.raises(redtune.InputError, match=message):
        redtune.sum(CapsuleArray(floats(10)), out=out)


def test_a_device_that_is_not_there_is_an_error():
    with pytest.raises(redtune.DeviceError, match="find the array's device"):
        redtune.sum(CapsuleArray(floats(10), (2, 5)), out=InterfaceArray(floats()))


def stream_objects(handle):
    """Objects of the kinds that libraries have."""

    class OfTorch:
        cuda_stream = handle

    class OfCupy:
        ptr = handle

    class OfNumba:
        class handle:
            value = None

    OfNumba.handle.value = handle

    class OfProtocol:
        def __cuda_stream__(self):
            return (0, handle)

    return [handle, OfTorch(), OfCupy(), OfNumba(), OfProtocol()]


def test_streams_of_all_kinds():
    values = floats(1000)
    for stream in [0, 1, 2, *stream_objects(Stream().handle)]:
        assert array_sum(InterfaceArray(values), (), stream=stream) == values.sum()
    with pytest.raises(redtune.DeviceError):
        array_sum(InterfaceArray(values), (), stream=0xBAD)


def test_the_current_stream_of_the_library_is_used():
    values = floats(1000)
    stream = Stream()
    array_sum(ExchangeArray(values), ())  # loads the kernel
    ExchangeArray.current_stream = stream.handle
    try:
        stream.begin_capture()
        out = numpy.zeros((), numpy.float32)
        redtune.sum(ExchangeArray(values), out=ExchangeArray(out))
        graph = stream.end_capture()
    finally:
        ExchangeArray.current_stream = 0
    assert out == 0, "the call was recorded, and has not run"
    stream.launch(graph)
    assert out == values.sum()


def test_a_capture_needs_a_call_before():
    stream = Stream()
    stream.begin_capture()
    with pytest.raises(redtune.Error, match="make the same call once before the capture"):
        array_sum(InterfaceArray(floats(7, 1234)), (7,), axis=1, stream=stream.handle)
    stream.end_capture()


def test_the_stream_of_the_interface_is_used():
    values = floats(1000)
    array_sum(InterfaceArray(values), ())
    stream = Stream()
    stream.begin_capture()
    out = numpy.zeros((), numpy.float32)
    redtune.sum(InterfaceArray(values, stream=stream.handle), out=InterfaceArray(out, stream=stream.handle))
    stream.launch(stream.end_capture())
    assert out == values.sum()


def test_another_stream_waits_for_that_of_the_interface():
    values = floats(1000)
    producer, consumer = Stream(), Stream()
    x = InterfaceArray(values, stream=producer.handle)
    assert array_sum(x, (), stream=consumer.handle) == values.sum()
    with pytest.raises(redtune.DeviceError, match="wait for the array's stream"):
        array_sum(InterfaceArray(values, stream=0xBAD), (), stream=consumer.handle)


def test_dlpack_arrays_are_told_the_stream():
    values = floats(1000)
    stream = Stream()
    x = CapsuleArray(values)
    array_sum(x, ())
    array_sum(x, (), stream=0)
    array_sum(x, (), stream=stream.handle)
    assert x.streams == [1, 1, stream.handle], "1 is DLPack's number of the legacy default stream"


def test_calls_from_several_threads():
    from concurrent.futures import ThreadPoolExecutor

    redtune.clear_cache()
    arrays = [floats(n) for n in range(1, 4000, 97)]

    def total(values):
        return array_sum(InterfaceArray(values), (), stream=2)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(total, arrays)) == [values.sum() for values in arrays]
