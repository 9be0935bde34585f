"""Arrays of float64 as bytes: numpy arrays if numpy is installed, nested lists otherwise."""

from __future__ import annotations

import sys
from array import array
from typing import Any, List, Sequence, Tuple, Union

numpy: Any = None
"""The module numpy; None if it is not installed."""
try:
    import numpy as _numpy

    numpy = _numpy
except ImportError:  # numpy is optional
    pass

Shape = Tuple[int, ...]
Buffer = Union[bytes, bytearray, memoryview]
_IS_BIG_ENDIAN = sys.byteorder == "big"


def is_batch(values: Any) -> bool:
    """True if values are a list of states rather than one state."""
    if numpy is not None and isinstance(values, numpy.ndarray):
        return bool(values.ndim > 1)
    return len(values) > 0 and hasattr(values[0], "__len__")


def pack(values: Any, item: Shape, what: str) -> Tuple[int, memoryview]:
    """Returns the number of items and their little-endian float64 bytes. Raises ValueError unless each has the shape."""
    if numpy is not None:
        numbers = numpy.ascontiguousarray(values, dtype="<f8")
        if numbers.size == 0 and len(numbers) == 0:
            return 0, memoryview(b"")
        if numbers.shape[1:] != item:
            raise ValueError(f"{what} has shape {list(numbers.shape)}, not {_form(item)}")
        return len(numbers), memoryview(numbers).cast("B")
    flat = array("d")
    for i, one in enumerate(values):
        _append(flat, one, item, f"{what}[{i}]")
    if _IS_BIG_ENDIAN:
        flat.byteswap()
    return len(values), memoryview(flat).cast("B")


def unpack(data: Buffer, shape: Sequence[int]) -> Any:
    """Returns the array of a shape: a numpy array, or nested lists. May share memory with `data`."""
    if numpy is not None:
        return numpy.frombuffer(data, dtype="<f8").reshape(shape)
    flat = array("d")
    flat.frombytes(bytes(data))
    if _IS_BIG_ENDIAN:
        flat.byteswap()
    return _nested(flat.tolist(), list(shape))


def booleans(values: Any) -> Any:
    """Returns the booleans of an array of 0 and 1."""
    return numpy.asarray(values) == 1 if numpy is not None else [value == 1 for value in values]


def joined(parts: Sequence[Any]) -> Any:
    """Concatenates arrays along their first dimension."""
    if len(parts) == 1:
        return parts[0]
    return numpy.concatenate(parts) if numpy is not None else [one for part in parts for one in part]


def vector(values: Any) -> List[float]:
    """Returns one state as a list of numbers."""
    return [float(value) for value in values]


def _append(flat: "array[float]", values: Any, item: Shape, what: str) -> None:
    if len(values) != item[0]:
        raise ValueError(f"{what} has {len(values)} values, not {item[0]}")
    if len(item) == 1:
        flat.extend(float(value) for value in values)
        return
    for i, one in enumerate(values):
        _append(flat, one, item[1:], f"{what}[{i}]")


def _nested(flat: List[float], shape: List[int]) -> List[Any]:
    if len(shape) < 2:
        return flat
    size = len(flat) // shape[0] if shape[0] else 0
    return [_nested(flat[i * size : (i + 1) * size], shape[1:]) for i in range(shape[0])]


def _form(item: Shape) -> str:
    return f"[n, {', '.join(str(size) for size in item)}]"
