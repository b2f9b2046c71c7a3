"""The names of element types that libraries write as dtype objects."""


def name_of(dtype):
    """Return the array API's name of a dtype: "float32" for "float32", numpy.float32, numpy.dtype("f4"), torch.float32.

    redtune's own names ("f32") are returned as they are. Raises TypeError for an object that is no dtype.
    """
    if isinstance(dtype, str):
        return dtype
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None)
    if isinstance(name, str):
        return {"float": "float64", "int": "int64"}.get(name, name)
    text = str(dtype)
    if text.startswith("torch."):
        return text.removeprefix("torch.")
    raise TypeError(f"dtype must be a name such as 'float32' or a dtype of NumPy, CuPy or PyTorch, not {dtype!r}")
