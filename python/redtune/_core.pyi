"""Types of the extension module. The functions' own docstrings say what they do."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeVar, overload

class _CudaArrayInterface(Protocol):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

class _DLPack(Protocol):
    def __dlpack__(self, *, stream: Any = ...) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

_Array = TypeVar("_Array", bound=_CudaArrayInterface | _DLPack)
_Out = TypeVar("_Out", bound=_CudaArrayInterface | _DLPack)
_Axis = SupportsIndex | Sequence[SupportsIndex] | None
_DType = Any  # a name such as "float32", or a dtype of NumPy, CuPy or PyTorch
_Stream = Any  # a stream of PyTorch, CuPy or Numba, an object with __cuda_stream__, or a cudaStream_t as an int
_Determinism = Literal["any", "run_to_run"] | None

version: str
schema_version: int
application_id: int

@overload
def sum(
    x: _Array, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def sum(
    x: _Array, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def prod(
    x: _Array, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def prod(
    x: _Array, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def sum_of_squares(
    x: _Array, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def sum_of_squares(
    x: _Array, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def mean(
    x: _Array, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def mean(
    x: _Array, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def min(
    x: _Array, *, axis: _Axis = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def min(
    x: _Array, *, axis: _Axis = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def max(
    x: _Array, *, axis: _Axis = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def max(
    x: _Array, *, axis: _Axis = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def argmin(
    x: _Array, *, axis: SupportsIndex | None = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def argmin(
    x: _Array, *, axis: SupportsIndex | None = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def argmax(
    x: _Array, *, axis: SupportsIndex | None = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def argmax(
    x: _Array, *, axis: SupportsIndex | None = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def any(
    x: _Array, *, axis: _Axis = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def any(
    x: _Array, *, axis: _Axis = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def all(
    x: _Array, *, axis: _Axis = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def all(
    x: _Array, *, axis: _Axis = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def norm(
    x: _Array, *, axis: _Axis = None, ord: Literal[1, 2] = 2, dtype: _DType = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def norm(
    x: _Array, *, axis: _Axis = None, ord: Literal[1, 2] = 2, dtype: _DType = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...
@overload
def vdot(
    x: _Array, x2: Any, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: None = None, stream: _Stream = None, determinism: _Determinism = None
) -> _Array: ...
@overload
def vdot(
    x: _Array, x2: Any, *, axis: _Axis = None, dtype: _DType = None, keepdims: bool = False, out: _Out, stream: _Stream = None, determinism: _Determinism = None
) -> _Out: ...

def clear_cache() -> None: ...
def cached_reductions() -> int: ...

class Catalog:
    def __init__(self, user_database: str | None) -> None: ...
    def find(
        self, op: str, dtype: str, n: int, device: int | str, regime: str, shape: str, accumulator: str | None,
        output: str | None, determinism: str, max_workspace_bytes: int | None, allow_pdl: bool,
        allow_forward_progress: bool, kinds: Sequence[str], /,
    ) -> dict[str, Any] | str: ...
    def tuned_sizes(
        self, op: str, dtype: str, device: str, regime: str, shape: str, accumulator: str | None, output: str | None, /
    ) -> list[int]: ...
    def problems(self, device: str, /) -> list[dict[str, str]]: ...
    def devices(self) -> list[str]: ...
    def reload(self) -> None: ...

def gpu_names() -> list[str]: ...
def well_known_names() -> list[str]: ...
def operator_names() -> list[str]: ...
def type_names() -> list[str]: ...
def parse_size(text: str, /) -> int: ...
def format_size(n: int, /) -> str: ...
def user_database() -> str: ...
def system_data() -> str: ...
def winners_files(folder: str, /) -> list[str]: ...
