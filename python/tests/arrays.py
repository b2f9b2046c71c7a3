"""Arrays for tests without a GPU: objects that offer host memory by the protocols of arrays of a GPU."""

import ctypes

import numpy


class InterfaceArray:
    """An array with __cuda_array_interface__ version 3."""

    def __init__(self, values, **changes):
        self.values = values
        self.changes = changes

    @property
    def __cuda_array_interface__(self):
        interface = dict(self.values.__array_interface__)
        interface.pop("descr", None)
        interface["version"] = 3
        return {**interface, **self.changes}


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    """DLPack's DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _ManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _ManagedTensorVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


CUDA = 2
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


def fill_tensor(tensor, values, device):
    """Describe a NumPy array as a DLTensor on a device."""
    tensor.data = values.ctypes.data
    tensor.device = _Device(*device)
    tensor.ndim = values.ndim
    tensor.dtype = _DataType(_CODES[values.dtype.kind], 8 * values.itemsize, 1)
    # The arrays of the object live as long as the structure, because ctypes keeps them.
    tensor.shape = (ctypes.c_int64 * values.ndim)(*values.shape)
    tensor.strides = (ctypes.c_int64 * values.ndim)(*(stride // values.itemsize for stride in values.strides))


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class CapsuleArray:
    """An array with __dlpack__ and __dlpack_device__, which records the streams that it was asked for."""

    def __init__(self, values, device=(CUDA, 0), *, versioned=True, read_only=False):
        self.values = values
        self.device = device
        self.versioned = versioned
        self.read_only = read_only
        self.streams = []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None, **options):
        if not self.versioned and options:
            raise TypeError("an object of before DLPack 1.0 knows no max_version")
        self.streams.append(stream)
        self.managed = _ManagedTensorVersioned(major=1, flags=int(self.read_only)) if self.versioned else _ManagedTensor()
        fill_tensor(self.managed.tensor, self.values, self.device)
        name = b"dltensor_versioned" if self.versioned else b"dltensor"
        return _new_capsule(ctypes.addressof(self.managed), name, None)


# PYFUNCTYPE keeps the GIL, which the callers have.
_FROM_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
_TO_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
_BORROW = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Tensor))
_STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
_ALLOCATE = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(Tensor), ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.c_void_p
)


class _ExchangeApi(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocate", _ALLOCATE),
        ("managed_from_object", _FROM_OBJECT),
        ("to_object", _TO_OBJECT),
        ("borrow_from_object", _BORROW),
        ("current_stream", _STREAM),
    ]


class ExchangeArray:
    """An array whose type has __dlpack_c_exchange_api__. The class counts calls and has a current stream."""

    current_stream = 0
    streams_asked = 0
    _made = {}

    def __init__(self, values, device=(CUDA, 0)):
        self.values = values
        self.device = device
        self.tensor = Tensor()
        fill_tensor(self.tensor, values, device)


def _allocate(prototype, out, error_context, set_error):
    shape = [prototype.contents.shape[i] for i in range(prototype.contents.ndim)]
    dtype = prototype.contents.dtype
    kind = next(kind for kind, code in _CODES.items() if code == dtype.code)
    values = numpy.full(shape, 77, dtype=numpy.bool_ if kind == "b" else f"{kind}{dtype.bits // 8}")
    managed = _ManagedTensorVersioned(major=1)
    address = ctypes.addressof(managed)
    ExchangeArray._made[address] = (managed, values)
    out[0] = address
    return 0


def _to_object(managed, out):
    values = ExchangeArray._made.pop(managed)[1]
    made = ExchangeArray(values)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made))
    out[0] = id(made)
    return 0


def _borrow(address, out):
    array = ctypes.cast(address, ctypes.py_object).value
    ctypes.memmove(out, ctypes.addressof(array.tensor), ctypes.sizeof(Tensor))
    return 0


def _current_stream(device_type, device_id, out):
    ExchangeArray.streams_asked += 1
    out[0] = ExchangeArray.current_stream
    return 0


_exchange_api = _ExchangeApi(
    1, 3, None, _ALLOCATE(_allocate), _FROM_OBJECT(lambda *_: -1), _TO_OBJECT(_to_object), _BORROW(_borrow),
    _STREAM(_current_stream),
)
_EXCHANGE_NAME = b"dlpack_exchange_api"  # a capsule keeps the address of its name
ExchangeArray.__dlpack_c_exchange_api__ = _new_capsule(ctypes.addressof(_exchange_api), _EXCHANGE_NAME, None)
