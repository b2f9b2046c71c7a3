"""The namespace with which the array API test suite tests redtune, over NumPy and the simulated driver."""

import itertools

import numpy
import pytest

import redtune
from array_api.namespace import FUNCTIONS, Namespace
from array_api.simulated import Reductions

pytestmark = pytest.mark.simulated

REDUCTIONS = [name for name in FUNCTIONS if name not in ("vecdot", "vector_norm")]


@pytest.fixture
def xp():
    return Namespace(numpy, Reductions(numpy))


def numbers(*shape, dtype="float32"):
    return numpy.random.default_rng(3).integers(1, 4, shape).astype(dtype)


def axes_of(name, dimensions):
    """Return None, every axis, and every tuple of axes where the standard allows them."""
    counts = range(0 if name not in ("argmin", "argmax") else dimensions + 1, dimensions + 1)
    tuples = [axes for count in counts for axes in itertools.combinations(range(dimensions), count)]
    return [None, *range(-dimensions, dimensions), *tuples]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_all_axes(xp, name, keepdims):
    values = numbers(2, 3, 4)
    for x in (values, numpy.asfortranarray(values), values[:, ::2]):
        for axis in axes_of(name, 3):
            expected = numpy.asarray(getattr(numpy, name)(x, axis=axis, keepdims=keepdims))
            numpy.testing.assert_array_equal(getattr(xp, name)(x, axis=axis, keepdims=keepdims), expected, strict=True)
    assert xp.calls[name, "copied"] > 0 and xp.calls[name, "direct"] > 0 and xp.calls[name, "base"] == 0


def test_a_sum_over_axes_that_are_no_neighbours_is_that_of_a_copy(xp):
    x = numbers(4, 5, 6)
    with pytest.raises(redtune.UnsupportedError):
        Reductions(numpy).sum(x, axis=(0, 2))
    numpy.testing.assert_array_equal(xp.sum(x, axis=(0, 2)), x.sum(axis=(0, 2)))
    assert xp.calls == {("sum", "copied"): 1}


@pytest.mark.parametrize(
    ("dtype", "wanted", "way"),
    [("int8", None, "direct"), ("int64", "int8", "converted"), ("uint8", "uint16", "converted"),
     ("float32", "float64", "direct"), ("float64", "float32", "converted"), ("float32", "complex64", "base"),
     ("complex128", None, "base")],
)
@pytest.mark.parametrize("name", ["sum", "prod"])
def test_result_types(xp, name, dtype, wanted, way):
    x = numbers(70, dtype=dtype)
    wanted = None if wanted is None else numpy.dtype(wanted)
    expected = getattr(numpy, name)(x, dtype=wanted)
    numpy.testing.assert_allclose(getattr(xp, name)(x, dtype=wanted), expected, 1e-6)
    assert getattr(xp, name)(x, dtype=wanted).dtype == expected.dtype
    assert xp.calls == {(name, way): 2}


def test_a_sum_of_floats_as_integers_is_one_of_integers(xp):
    x = numpy.full(5, 1.5, numpy.float32)
    assert xp.sum(x, dtype=numpy.dtype("int64")) == 5


@pytest.mark.parametrize("name", ["mean", "any", "all"])
def test_complex_arrays_are_left_to_the_base(xp, name):
    x = numpy.asarray([1j, 0, 2])
    assert getattr(xp, name)(x) == getattr(numpy, name)(x)
    assert xp.calls == {(name, "base"): 1}


@pytest.mark.parametrize(("ord", "way"), [(2, "direct"), (1.0, "direct"), (3, "base"), (numpy.inf, "base")])
def test_norms(xp, ord, way):
    x = numbers(3, 4)
    result = xp.linalg.vector_norm(x, axis=1, keepdims=True, ord=ord)
    numpy.testing.assert_allclose(result, numpy.linalg.vector_norm(x, axis=1, keepdims=True, ord=ord), 1e-6)
    assert xp.calls == {("vector_norm", way): 1}


def test_products_of_vectors(xp):
    x, y = numbers(2, 3, 4), numbers(4, dtype="float64")
    numpy.testing.assert_array_equal(xp.vecdot(x, y), (x * y).sum(axis=-1))
    numpy.testing.assert_array_equal(xp.linalg.vecdot(x, x, axis=-2), (x * x).sum(axis=-2))
    numpy.testing.assert_array_equal(xp.vecdot(numbers(0, 4), numbers(1, 4)), numpy.zeros(0))
    assert xp.calls["vecdot", "copied"] == 1, "the broadcast array is none in C order"
    numpy.testing.assert_array_equal(xp.vecdot(numpy.asarray([1j]), numpy.asarray([1j])), 1)
    assert xp.calls["vecdot", "base"] == 1
    with pytest.raises(ValueError, match="of one length"):
        xp.vecdot(numbers(3), numbers(1))


def test_everything_else_is_the_base_library(xp):
    assert xp.asarray is numpy.asarray and xp.float32 is numpy.float32 and xp.linalg.matmul is numpy.linalg.matmul
    assert xp.__array_api_version__ == numpy.__array_api_version__
    assert {"sum", "asarray", "linalg"} <= set(dir(xp))
    with pytest.raises(AttributeError):
        xp.no_such_function
