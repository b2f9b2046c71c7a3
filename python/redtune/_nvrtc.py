"""Finds NVRTC, NVIDIA's run-time compiler, in Python's packages."""

from . import _core


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


def hand_over():
    """Tell the C++ library where NVRTC is. $REDTUNE_NVRTC and $REDTUNE_CUDA_LIB come before it, the system's after it."""
    path = find()
    if path:
        _core.prefer_nvrtc(path)
