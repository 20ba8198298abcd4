"""The array types that annotations use, the freezing of arrays that must not change, and their text."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SingleArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

# For kernels that pass a constant on to another: a literal of Python's is a type of its own to numba, and
# what is called would be compiled once more for it. numpy's constants have the type of a variable.
ZERO: Any = np.int64(0)
YES: Any = np.True_
NO: Any = np.False_


def frozen_array(values: Any, dtype: type = np.float64) -> NDArray[Any]:
    """Return a read-only, C-ordered copy of `values`."""
    array: NDArray[Any] = np.array(values, dtype=dtype, order="C")
    array.setflags(write=False)
    return array


def plain_numbers(values: Any) -> str:
    """Return numbers as people write them, six digits each: `[1, 0.25, -3]`; rows within brackets again."""
    return "[" + ", ".join(plain_numbers(v) if np.ndim(v) else f"{v:.6g}" for v in values) + "]"
