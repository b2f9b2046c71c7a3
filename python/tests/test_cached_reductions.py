"""Which reductions the package keeps, over the simulated driver (simulated.py)."""

import numpy
import pytest

import redtune
from arrays import ExchangeArray, InterfaceArray
from simulated import Stream, array_sum, floats

pytestmark = pytest.mark.simulated


def test_reductions_are_cached():
    redtune.clear_cache()
    assert redtune.cached_reductions() == 0
    values = floats(4, 100)
    for _ in range(3):
        array_sum(InterfaceArray(values), ())
    assert redtune.cached_reductions() == 1
    array_sum(InterfaceArray(values), (4,), axis=1)
    array_sum(InterfaceArray(values), (100,), axis=0)
    array_sum(InterfaceArray(values), (), determinism="run_to_run")
    assert redtune.cached_reductions() == 4
    redtune.clear_cache()
    assert redtune.cached_reductions() == 0
    assert array_sum(InterfaceArray(values), ()) == values.sum()


MOST_CACHED = 256


def rows_of(length):
    """Sum two rows of this length."""
    values = floats(2, length)
    numpy.testing.assert_array_equal(array_sum(InterfaceArray(values), (2,), axis=1), values.sum(axis=1))


def is_cached(length):
    """Return whether a call with two rows of this length can be recorded."""
    stream = Stream()
    stream.begin_capture()
    try:
        array_sum(InterfaceArray(floats(2, length)), (2,), axis=1, stream=stream.handle)
    except redtune.Error as error:
        assert "make the same call once before the capture" in str(error)
        return False
    finally:
        stream.end_capture()
    return True


def test_reductions_that_were_not_used_for_long_are_freed():
    redtune.clear_cache()
    recorded, old, used = 2, 3, 4
    rows_of(recorded)
    assert is_cached(recorded), "the call is recorded now"
    rows_of(old)
    for length in range(5, 5 + MOST_CACHED):
        rows_of(length)
        rows_of(used)
        assert redtune.cached_reductions() <= MOST_CACHED + 1
    assert not is_cached(old)
    assert is_cached(used)
    assert is_cached(recorded), "a graph may use it"
    rows_of(old)
    assert is_cached(old)
    redtune.clear_cache()


def test_threads_with_more_reductions_than_are_kept():
    from concurrent.futures import ThreadPoolExecutor

    redtune.clear_cache()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(rows_of, [2 + number % (MOST_CACHED + 10) for number in range(2 * MOST_CACHED)]))
    assert redtune.cached_reductions() <= MOST_CACHED + 4, "each thread may have one more"
    redtune.clear_cache()


def test_reductions_with_large_workspaces_are_freed_earlier():
    redtune.clear_cache()
    made = []
    while redtune.cached_reductions() == len(made):
        assert len(made) < 60, "argmax of so many columns has 64 workspaces of up to 1 MiB"
        for x in made:  # so that a call of each of them may still run when some are freed
            redtune.argmax(x, axis=0)
        made.append(ExchangeArray(floats(3, 2048 + 4 * len(made))))
        redtune.argmax(made[-1], axis=0)
    assert redtune.cached_reductions() > 1
    redtune.clear_cache()
