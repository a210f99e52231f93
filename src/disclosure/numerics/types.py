"""Types of arrays that the package's functions take and return."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["BoolArray", "Columns", "ComplexArray", "FloatArray", "IntArray"]

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
ComplexArray = NDArray[np.complex128]
# A table: arrays of one length by the names of its columns.
Columns: TypeAlias = Mapping[str, NDArray[Any]]
