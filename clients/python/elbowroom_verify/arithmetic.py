"""Fixed-point numbers with proved errors. No decision depends on a float.

A number is an integer that counts units of 2^-PLACES ("units" below). Functions state how far their results may be
from the true value; bounds are rounded away from it. Floats of files are read as the doubles that they denote, which
are rationals with a power of two as denominator.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Sequence

PLACES = 80
ONE = 1 << PLACES
HALF = ONE >> 1

#: Binary places of sine and cosine before they are rounded.
_FINE = PLACES + 32
#: Errors of sine and cosine of an exact argument, units: see `sin_cos`.
TRIGONOMETRY_ERROR = 3


def fixed(x: float) -> int:
    """The double x, rounded down: error less than 1 unit, 0 if x is a multiple of one."""
    numerator, denominator = x.as_integer_ratio()
    return (numerator << PLACES) // denominator


def fixed_fraction(x: Fraction) -> int:
    """A rational, rounded down: error less than 1 unit."""
    return (x.numerator << PLACES) // x.denominator


def fixed_up(x: float) -> int:
    """The double x, rounded up."""
    return -fixed(-x)


def metres_up(x: int) -> int:
    """A nonnegative number, rounded up to a whole number, at least 1."""
    return (x >> PLACES) + 1


def times_up(x: int, y: int) -> int:
    """The product of nonnegative numbers, rounded up."""
    return ((x * y) >> PLACES) + 1


def norm_up(x: int, y: int, z: int) -> int:
    """The length of a vector, rounded up. The squares count units of 2^-2 PLACES, so their root counts units."""
    return isqrt(x * x + y * y + z * z) + 1


def _arctan_of_inverse(n: int, places: int) -> int:
    """arctan(1/n) = sum of (-1)^k / ((2k+1) n^(2k+1)), in units of 2^-places.

    Each term is rounded down, by less than 2 units (its power of 1/n by less than 1, the quotient by less than 1).
    The terms fall and alternate, so that the rest of the series is less than the first term that is left out, 1 unit.
    """
    power = (1 << places) // n
    total, k, sign = 0, 0, 1
    while power > 0:
        total += sign * (power // (2 * k + 1))
        power //= n * n
        k += 1
        sign = -sign
    return total


def _half_pi() -> int:
    """pi/2 in units of 2^-_FINE, error less than 1: pi/4 = 4 arctan(1/5) - arctan(1/239) (Machin).

    With 32 further places, the sums of at most 100 terms are off by less than 2 (4 · 100 · 2 + 100 · 2) < 2^11 of them.
    """
    places = _FINE + 32
    quarter = 4 * _arctan_of_inverse(5, places) - _arctan_of_inverse(239, places)
    return (2 * quarter) >> 32


HALF_PI = _half_pi()

#: Greatest argument of sine and cosine: 2^31 quarter turns, whose errors of pi/2 are at most 2^-81.
MAX_ANGLE = 2_000_000_000 << PLACES


def sin_cos(angle: int) -> tuple[int, int]:
    """Sine and cosine of an angle; both are off by at most TRIGONOMETRY_ERROR units.

    angle = k pi/2 + r with |r| <= pi/4 + 2^-_FINE, then Taylor series in r: terms |r|^n / n! that alternate and fall.
    Errors: the reduction less than k 2^-_FINE <= 2^-81 (half a unit); each of fewer than 32 terms less than 8 fine
    units; the rest of a series less than the first term that is left out, less than 8 fine units. In all less than
    half a unit + 2^9 2^-112, and less than 1 for the final rounding.
    """
    if not -MAX_ANGLE <= angle <= MAX_ANGLE:
        raise ArithmeticError("an angle beyond 2e9 rad")
    x = angle << 32
    k = (2 * x + HALF_PI) // (2 * HALF_PI)
    r = x - k * HALF_PI
    square = (r * r) >> _FINE
    cosine, term, n = 1 << _FINE, 1 << _FINE, 0
    while term > 0:
        n += 2
        term = ((term * square) >> _FINE) // (n * (n - 1))
        cosine += -term if n & 2 else term  # n = 2, 6, …: minus; n = 4, 8, …: plus
    size = abs(r)
    sine, term, n = size, size, 1
    while term > 0:
        n += 2
        term = ((term * square) >> _FINE) // (n * (n - 1))
        sine += -term if n & 2 else term  # n = 3, 7, …: minus; n = 5, 9, …: plus
    if r < 0:
        sine = -sine
    sine >>= 32
    cosine >>= 32
    return ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))[k & 3]


def unit_vector(v: Sequence[float]) -> tuple[int, ...]:
    """A vector divided by its length; each coordinate is off by less than 2 units. The vector must not be 0.

    The coordinates are brought to a common denominator, which cancels. The root of their squares is rounded down,
    after a shift by which it has more than 2·PLACES binary places: its relative error is less than 2^-128.
    """
    ratios = [x.as_integer_ratio() for x in v]
    common = max(d for _, d in ratios)
    return unit([n * (common // d) for n, d in ratios])


def unit(whole: Sequence[int]) -> tuple[int, ...]:
    """The same of a vector of whole numbers."""
    root = isqrt(sum(n * n for n in whole) << 256)
    return tuple((n << (PLACES + 128)) // root for n in whole)
