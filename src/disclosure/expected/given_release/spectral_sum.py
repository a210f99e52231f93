"""Sums over frequencies of the characteristic function of a mean times the Fourier transform of a function of that mean.

Both factors are sums of weights times e^(i k angle) at consecutive whole numbers k. The angles are not evenly spaced, as
scipy's fast transforms ask for. Written as a product of two small matrices, such sums take far fewer exponentials than one by
one.
"""

import numpy as np
from scipy.special import erfc

from disclosure.expected.given_release.settings import SETTINGS
from disclosure.numerics.types import ComplexArray, FloatArray, IntArray

__all__ = ["spectral_sum"]


def spectral_sum(
    terms: FloatArray,
    probabilities: FloatArray,
    means: FloatArray,
    values: FloatArray,
    neighbours: int,
    step: float,
    most: int,
) -> float:
    """Real part of the sum over k = 0, 1, ... of phi(k h) F(k h), the first summand halved.

    phi(w) = (E e^(i w X / p))^p is the characteristic function of the mean of p terms, and F(w) the sum over the nodes s of
    value times e^(-i w s).

    Parameters
    ----------
    terms, probabilities : ndarray, shape (m,)
        Values X of one term less its mean, and their probabilities.
    means, values : ndarray, shape (l,)
        Nodes s of the mean term less its mean, and the function there times the weights of a rule.
    neighbours : int
        p.
    step : float
        h, in radians per unit of X.
    most : int
        Number of summands, at most. If they have not become negligible by then, a taper makes them fade.

    Returns
    -------
    float
    """
    parts: list[ComplexArray] = []
    start, largest, taper = 0, 0.0, np.empty(0)
    while start < most:
        frequencies = np.arange(start, min(max(SETTINGS.frequencies_at_a_time, 2 * start), most))
        factors = _characteristic(terms, probabilities, step / neighbours, frequencies, neighbours)
        parts.append(factors * _fourier(-step * means, values, frequencies))
        sizes = np.abs(parts[-1])
        if start == 0:
            largest = sizes.max()
        start += len(frequencies)
        if sizes[-(len(sizes) // 4) :].max() < SETTINGS.nothing * largest:
            taper = np.ones(start)
            break
    else:
        taper = _taper(start)
    taper[0] = 0.5
    return float(taper @ np.concatenate(parts).real)


def _taper(count: int) -> FloatArray:
    """Factors that fall from 1 to 0 along the frequencies, smoothly, and flat at both ends."""
    return np.asarray(erfc((np.arange(count) / count - SETTINGS.taper_middle) / SETTINGS.taper_width) / 2)


def _characteristic(
    terms: FloatArray, probabilities: FloatArray, step: float, multiples: IntArray, neighbours: int
) -> ComplexArray:
    """Characteristic function of the sum of p independent terms with mean 0, at consecutive multiples of a step."""
    if neighbours > SETTINGS.sines_from:
        angles = step * multiples[:, None] * terms
        real, imaginary = -2 * np.sin(angles / 2) ** 2 @ probabilities, np.sin(angles) @ probabilities
    else:
        values = _fourier(step * terms, probabilities, multiples)
        real, imaginary = values.real - 1, values.imag
    # The power is e^(p log(1 + w)). For w near 0 the real part of the logarithm is small; by log1p it keeps its digits.
    with np.errstate(divide="ignore"):
        size = np.log1p(np.maximum(2 * real + real**2 + imaginary**2, -1.0)) / 2
    powers = neighbours * (np.maximum(size, SETTINGS.impossible_log) + 1j * np.arctan2(imaginary, 1 + real))
    return np.asarray(np.exp(powers))


def _fourier(angles: FloatArray, weights: FloatArray, multiples: IntArray) -> ComplexArray:
    """Sums of weights times e^(i k angle) for consecutive k, as a product of two small matrices."""
    inner = int(2 ** np.ceil(np.log2(len(multiples)) / 2))
    outer = -(-len(multiples) // inner)
    fine, stride = _powers(np.exp(1j * angles), inner)
    coarse, _ = _powers(stride, outer)
    coarse *= weights * np.exp(1j * multiples[0] * angles) if multiples[0] else weights
    return (coarse @ fine.T).ravel()[: len(multiples)]


def _powers(base: ComplexArray, count: int) -> tuple[ComplexArray, ComplexArray]:
    """Powers 0, ..., count - 1 of each base, and its power to the smallest power of 2 that is at least ``count``.

    They are found by doubling, which is cheaper than as many exponentials and off by a few roundings.
    """
    powers = np.empty((count, base.size), dtype=complex)
    powers[0] = 1.0
    known, factor = 1, base
    while known < count:
        new = min(known, count - known)
        np.multiply(powers[:new], factor, out=powers[known : known + new])
        known, factor = known + new, factor * factor
    return powers, factor
