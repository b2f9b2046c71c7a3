"""What the tests over the simulated driver share: its streams, and sums of arrays in host memory."""

import ctypes

import numpy

import redtune
from arrays import InterfaceArray


def floats(*shape):
    return numpy.random.default_rng(1).integers(-8, 9, shape).astype(numpy.float32)


def array_sum(x, values_shape, **options):
    """Reduce into a new array of floats and return it."""
    out = numpy.full(values_shape, 99, numpy.float32)
    returned = InterfaceArray(out)
    assert redtune.sum(x, out=returned, **options) is returned
    return out


class Stream:
    """A stream of the simulated driver."""

    def __init__(self):
        self.driver = ctypes.CDLL("libcuda.so.1")
        handle = ctypes.c_void_p()
        assert self.driver.cuStreamCreate(ctypes.byref(handle), 1) == 0
        self.handle = handle.value

    def begin_capture(self):
        assert self.driver.cuStreamBeginCapture_v2(ctypes.c_void_p(self.handle), 0) == 0

    def end_capture(self):
        graph = ctypes.c_void_p()
        assert self.driver.cuStreamEndCapture(ctypes.c_void_p(self.handle), ctypes.byref(graph)) == 0
        return graph

    def launch(self, graph):
        executable = ctypes.c_void_p()
        assert self.driver.cuGraphInstantiateWithFlags(ctypes.byref(executable), graph, ctypes.c_ulonglong(0)) == 0
        assert self.driver.cuGraphLaunch(executable, ctypes.c_void_p(self.handle)) == 0
