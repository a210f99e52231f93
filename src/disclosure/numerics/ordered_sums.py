"""Sums whose last bits depend on the summands alone, not on what else is computed beside them.

Floating-point addition is not associative, so the order of a sum decides its last bits. numpy picks the order by the layout
of an array and by its number of columns, and a matrix product picks it by the number of rows and of processors. The results
of a study, however, have the same bytes for any number of cores and any share of the datasets in one job. So wherever a
dataset is computed in one array with others, and the sum might notice, it is taken by a function of this module.
"""

from collections.abc import Sequence

import numpy as np

from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["columns", "contracted", "one_by_one", "scalar_products", "weighted_rows"]

# Terms. Longer columns are kept in one piece each, and numpy adds each up by itself. The rows of shorter ones are added up side
# by side, which is faster: then all columns of a table take their terms in the same order.
_LONG_COLUMN = 1000
# Rows of a matrix that OpenBLAS multiplies by a vector at a time; those that are left over it multiplies in another order.
_ROWS_AT_A_TIME = 4


def scalar_products(first: FloatArray, second: FloatArray) -> FloatArray:
    """Scalar products over the last axis of two arrays that broadcast against each other, one coordinate after the other."""
    return np.asarray(sum(first[..., axis] * second[..., axis] for axis in range(first.shape[-1])))


def contracted(subscripts: str, *arrays: FloatArray) -> FloatArray:
    """`numpy.einsum` by its own loops, in which no row knows of the others, never by a matrix product."""
    return np.asarray(np.einsum(subscripts, *arrays, optimize=False))


def weighted_rows(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Sums over the rows of values times weights, shape (n,), in the order of a matrix product of many rows.

    The product ``values @ weights`` takes the last few rows in another order than the others, and which rows are the last is a
    matter of what else is in the array. Here each row is multiplied beside copies of itself alone, so that its place does not
    matter.

    Parameters
    ----------
    values : ndarray, shape (n, m)
    weights : ndarray, shape (m,)

    Returns
    -------
    ndarray, shape (n,)
    """
    return np.asarray((np.repeat(values[:, None], _ROWS_AT_A_TIME, axis=1) @ weights)[:, 0])


def one_by_one(values: FloatArray) -> FloatArray:
    """Sums over the last axis from left to right, so that zeros at the end of a row make no difference."""
    return np.asarray(np.cumsum(values, axis=-1)[..., -1])


def columns(tables: Sequence[FloatArray], chosen: IntArray) -> list[FloatArray]:
    """Some columns of tables, in a layout that depends on their length alone, and with it the order of sums along them.

    Parameters
    ----------
    tables : sequence of ndarray, shape (p, k) or (p, 1)
        Tables of one column stand for k equal ones and stay as they are.
    chosen : ndarray of int, shape (n,)
        Of two columns at least: numpy adds up a single one in another order than those of a table. `numpy.resize` repeats a
        column that is alone.

    Returns
    -------
    list of ndarray, shape (p, n) or (p, 1)
    """
    if len(tables[0]) > _LONG_COLUMN:
        return [table if table.shape[1] == 1 else table.T[chosen].T for table in tables]
    return [table if table.shape[1] == 1 else table.take(chosen, axis=1) for table in tables]
