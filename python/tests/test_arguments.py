"""What the functions refuse, and what they say. Nothing here needs a driver."""

import re

import numpy
import pytest

import redtune
from arrays import CapsuleArray, ExchangeArray, InterfaceArray

FUNCTIONS = ["sum", "prod", "min", "max", "mean", "argmin", "argmax", "any", "all", "norm", "sum_of_squares"]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("value", [[1, 2, 3], (1.0,), 3, "text", None, {}])
def test_what_is_no_array_is_refused(name, value):
    with pytest.raises(TypeError) as caught:
        getattr(redtune, name)(value)
    if value is not None:
        assert "which is no array in the memory of a CUDA device; allowed are" in str(caught.value)


def test_a_numpy_array_is_refused_with_the_way_to_copy_it():
    with pytest.raises(redtune.InputError, match=r"x is a ndarray on the CPU.*cupy\.asarray"):
        redtune.sum(numpy.ones(4, numpy.float32))
    assert issubclass(redtune.InputError, ValueError) and issubclass(redtune.InputError, redtune.Error)


def test_an_array_of_the_exchange_api_on_the_cpu_is_refused():
    with pytest.raises(redtune.InputError, match="x is a ExchangeArray on the CPU"):
        redtune.sum(ExchangeArray(numpy.ones(4, numpy.float32), device=(1, 0)))


def test_the_second_array_is_checked_too():
    x = InterfaceArray(numpy.ones((4, 2), numpy.float32))
    with pytest.raises(TypeError, match="x2 is a list"):
        redtune.vdot(x, [1, 2])
    with pytest.raises(redtune.InputError, match="types float32 and float64"):
        redtune.vdot(x, InterfaceArray(numpy.ones((4, 2))))
    with pytest.raises(redtune.InputError, match="different shapes"):
        redtune.vdot(x, InterfaceArray(numpy.ones(8, numpy.float32)))
    with pytest.raises(redtune.UnsupportedError, match="C order"):
        redtune.vdot(x, InterfaceArray(numpy.ones((2, 4), numpy.float32).T))


@pytest.mark.parametrize("dtype", ["complex64", ">f4", "S4", "datetime64[s]"])
def test_element_types_that_no_kernel_has_are_refused(dtype):
    with pytest.raises(redtune.InputError, match="allowed are bool, int8"):
        redtune.sum(InterfaceArray(numpy.zeros(4, dtype)))


def test_a_complex_dlpack_array_is_refused():
    with pytest.raises(redtune.InputError, match="DLPack code 5, 64 bits"):
        redtune.sum(CapsuleArray(numpy.zeros(4, numpy.complex64)))


def test_a_mask_is_refused():
    with pytest.raises(redtune.InputError, match="mask"):
        redtune.sum(InterfaceArray(numpy.zeros(4, numpy.float32), mask=InterfaceArray(numpy.zeros(4, numpy.bool_))))


@pytest.mark.parametrize(
    ("axis", "error", "message"),
    [
        (2, redtune.InputError, "has no axis 2; allowed are -2 to 1"),
        (-3, redtune.InputError, "has no axis -3"),
        ((0, 0), redtune.InputError, "names an axis twice"),
        ((0, -2), redtune.InputError, "names an axis twice"),
        ("last", TypeError, "axis must be None, an int, or a tuple"),
        (1.0, TypeError, "axis must be"),
    ],
)
def test_axes_that_are_refused(axis, error, message):
    with pytest.raises(error, match=message.replace("(", r"\(")):
        redtune.sum(InterfaceArray(numpy.ones((2, 3), numpy.float32)), axis=axis)


def test_an_array_without_axes_has_no_axis():
    with pytest.raises(redtune.InputError, match="has no axes"):
        redtune.sum(InterfaceArray(numpy.array(1, numpy.float32)), axis=0)


def test_argmin_takes_one_axis():
    with pytest.raises(TypeError, match="None or an int"):
        redtune.argmin(InterfaceArray(numpy.ones((2, 3), numpy.float32)), axis=(0, 1))


@pytest.mark.parametrize(
    ("view", "axis", "reason"),
    [
        (lambda x: x[:, ::2], None, "without gaps"),
        (lambda x: x[:, :2], -1, "without gaps"),
        (lambda x: x[::-1], None, "without gaps"),
        (lambda x: numpy.broadcast_to(x[:1], (5, 4)), None, "without gaps"),
    ],
)
def test_arrays_that_need_a_copy_are_refused(view, axis, reason):
    x = view(numpy.ones((6, 4), numpy.float32))
    with pytest.raises(redtune.UnsupportedError, match=f"needs a copy.*{reason}.*contiguous"):
        redtune.sum(InterfaceArray(x, data=(16, False)), axis=axis)


def test_results_in_another_order_need_a_copy():
    x = numpy.ones((2, 3, 4), numpy.float32).transpose(1, 0, 2)
    with pytest.raises(redtune.UnsupportedError, match="another order than the results need"):
        redtune.sum(InterfaceArray(x), axis=-1)
    with pytest.raises(redtune.UnsupportedError, match=r"kept lie in memory between axes.*x\.movedim\(.*\)\.contiguous\(\)"):
        redtune.sum(InterfaceArray(numpy.ones((2, 3, 4), numpy.float32)), axis=(0, 2))
    with pytest.raises(redtune.UnsupportedError, match="another order"):
        redtune.argmax(InterfaceArray(numpy.ones((2, 3), numpy.float32).T))


@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax"])
def test_no_elements_have_no_smallest(name):
    with pytest.raises(redtune.InputError, match=f"{name} of no elements is not defined"):
        getattr(redtune, name)(InterfaceArray(numpy.ones((0, 3), numpy.float32)))


@pytest.mark.parametrize(
    ("name", "values", "dtype", "message"),
    [
        ("sum", "float32", "float16", "sum of a float32 array cannot be float16; allowed is dtype = float32, float64"),
        ("sum", "float32", "int32", "cannot be int32"),
        ("sum", "int32", "bool", "cannot be bool"),
        ("mean", "int32", "int64", "allowed is dtype = float64, float32"),
        ("sum", "int8", "float16", "cannot be float16; allowed is dtype = int32, int8, int64, float64"),
    ],
)
def test_result_types_that_no_kernel_has_are_refused(name, values, dtype, message):
    with pytest.raises(redtune.InputError, match=message):
        getattr(redtune, name)(InterfaceArray(numpy.ones(4, values)), dtype=dtype)


def test_dtypes_that_are_none_are_refused():
    x = InterfaceArray(numpy.ones(4, numpy.float32))
    with pytest.raises(redtune.InputError, match="dtype float3 is not one of bool, int8"):
        redtune.sum(x, dtype="float3")
    with pytest.raises(TypeError, match="dtype must be a name"):
        redtune.sum(x, dtype=3)


def test_other_arguments_are_checked():
    x = InterfaceArray(numpy.ones(4, numpy.float32))
    with pytest.raises(redtune.InputError, match="ord must be 1 or 2"):
        redtune.norm(x, ord=3)
    with pytest.raises(redtune.InputError, match="run_to_run"):
        redtune.sum(x, determinism="always")
    with pytest.raises(TypeError, match="stream must be a stream of PyTorch"):
        redtune.sum(x, stream="default")
    with pytest.raises(TypeError):
        redtune.min(x, dtype="float64")


def test_every_function_has_documentation():
    for name in [*FUNCTIONS, "vdot"]:
        text = getattr(redtune, name).__doc__
        assert "Parameters" in text and "Returns" in text and "Raises" in text
        assert re.search(r"^Return (the|whether)", text, re.MULTILINE)


def test_importing_the_package_imports_no_other_library():
    import subprocess
    import sys

    libraries = {"torch", "cupy", "numba", "numpy", "pandas", "matplotlib", "tqdm", "sqlite3"}
    code = f"import sys, redtune; print(sorted({libraries} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "[]\n"


def test_every_name_is_there_also_if_it_is_imported_when_it_is_used():
    assert set(redtune.__all__) <= set(dir(redtune))
    for name in set(redtune.__all__) - {"plot"}:  # which imports matplotlib
        assert getattr(redtune, name)
    with pytest.raises(AttributeError, match="'redtune' has no attribute 'summ'"):
        getattr(redtune, "summ")
