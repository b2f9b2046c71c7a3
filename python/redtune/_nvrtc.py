"""Finds NVRTC, NVIDIA's run-time compiler, in Python's packages.

The C++ library calls find() when a kernel has to be compiled. $REDTUNE_NVRTC and $REDTUNE_CUDA_LIB come before the library that it
returns, the system's after it.
"""


def find():
    """Return the path of NVRTC that cuda-pathfinder knows, or None if it is not installed or knows none."""
    try:
        from cuda.pathfinder import load_nvidia_dynamic_lib
    except ImportError:
        return None
    try:
        return load_nvidia_dynamic_lib("nvrtc").abs_path
    except (RuntimeError, OSError):  # DynamicLibNotFoundError is a RuntimeError
        return None
