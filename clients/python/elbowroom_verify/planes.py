"""One span: a direction n, fixed in the frame of b, that separates a from b over an interval of time.

At all times of the span  min n·y (y in b) - max n·x (x in a) > 0, and >= padding |n|. At the middle of an interval of
half width h of a piece, with c the center of a, V and Omega its motion relative to b (`relative`), Taylor's formula gives
for |t| <= h
    max n·x(t) <= n·c + t n·V + s(n + t n x Omega) + |n| A h^2 / 2,      s(d) = max d·r over the points c + r of a,
which without its last term is convex in t, so that its maximum is at t = h or t = -h. If this is not enough, the gap at
the middle decides: too small, and the span is refused; otherwise both halves are checked. Every quantity is an integer;
all errors are bounded by `Instant.error`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from math import isqrt
from typing import Callable, Optional

from .arithmetic import ONE, PLACES, fixed, fixed_up, norm_up, times_up, unit_vector
from .motion import Piece, parameters
from .outcome import NotProved
from .poses import Vector, rotate, rotate_back
from .relative import Arm, Instant, Placed, Sizes

#: Greatest number of bisections of a certificate.
MAX_BISECTIONS = 1_000_000
#: How far a direction may be from length 1, and from the normal of a half-space.
TOLERANCE = fixed(1e-6)


#: Lower bounds on a margin over an interval and at its middle, units.
Bounds = Callable[[Instant], tuple[int, int]]


class Plane:
    """A direction against part b: in the frame of b's anchor, the height of b along it, and its length, rounded up."""

    def __init__(self, b: Placed, n: tuple[float, float, float]) -> None:
        given = (fixed(n[0]), fixed(n[1]), fixed(n[2]))
        length = isqrt(sum(x * x for x in given))
        if abs(length - ONE) > TOLERANCE + 4:
            raise NotProved(f"a direction of length {length / ONE}")
        if b.shape.plane is None:
            self.length = length + 3  # each coordinate is rounded by less than 1
            self.n = rotate(b.frame, given)
            inward = rotate_back(b.at, self.n)
            depth = b.shape.support((-inward[0], -inward[1], -inward[2]))
        else:
            # A half-space has one plane: n is the opposite of its normal, of length 1.
            self.length = ONE
            x, y, z = rotate(b.at, unit_vector(b.shape.plane))
            self.n = (-x, -y, -z)
            u = rotate(b.frame, unit_vector(n))
            if norm_up(u[0] + x, u[1] + y, u[2] + z) > TOLERANCE + 64 + 4 * b.at.turn:
                raise NotProved("its direction is not that of the half-space")
            depth = b.shape.radius
        x, y, z = b.center
        self.height = ((self.n[0] * x + self.n[1] * y + self.n[2] * z) >> PLACES) - depth


class Prover:
    """Proves spans of one motion in one world."""

    def __init__(self, arm: Arm, pieces: list[Piece], sizes: Sizes, padding: float) -> None:
        self.arm = arm
        self.pieces = pieces
        self._starts, self._ends = [piece.start for piece in pieces], [piece.end for piece in pieces]
        self.sizes = sizes
        self.padding = fixed_up(padding)
        self.bisections = 0
        #: The least gap that was proved, in units; None before the first.
        self.least: Optional[int] = None
        self._instants: dict[tuple[int, int, int], Instant] = {}
        self._cuts: dict[tuple[float, float], list[tuple[int, int, int]]] = {}

    def prove_span(self, a: Placed, b: Placed, start: float, end: float, n: tuple[float, float, float]) -> None:
        """Raises `NotProved` unless the direction separates the parts at every time of [start, end]."""
        plane = Plane(b, n)
        needed = max(1, times_up(self.padding, plane.length) if self.padding else 1)
        gap = self.prove(start, end, needed, lambda instant: gaps(instant, a, b, plane, needed), "its plane", "m")
        distance = (gap << PLACES) // plane.length  # |y - x| >= n·(y - x) / |n|
        self.least = distance if self.least is None else min(self.least, distance)

    def prove(self, start: float, end: float, needed: int, bounds: Bounds, what: str, unit: str) -> int:
        """Raises `NotProved` unless the bounds are at least as needed throughout [start, end]; returns the least one."""
        cuts = self._intervals(start, end)
        if not cuts:
            raise NotProved(f"no piece of the motion is in the span from {start} to {end}")
        return min(self._prove_interval(needed, bounds, what, unit, *cut) for cut in cuts)

    def _intervals(self, start: float, end: float) -> list[tuple[int, int, int]]:
        """Index of each piece that has a part of the span, and the part as an interval of s, rounded outward. A piece
        that only touches a longer span is left out: the state there is also that of the next piece."""
        key = (start, end)
        known = self._cuts.get(key)
        if known is not None:
            return known
        t0, t1 = Fraction(start), Fraction(end)
        if t0 < self.pieces[0].start or t1 > self.pieces[-1].end:
            raise NotProved(f"the span from {start} to {end} is not within the motion")
        found = []
        for k in range(bisect_left(self._ends, t0), bisect_right(self._starts, t1)):
            piece = self.pieces[k]
            low, high = max(t0, piece.start), min(t1, piece.end)
            if low < high or t0 == t1:
                found.append((k, *parameters(piece, low, high)))
        self._cuts[key] = found
        return found

    def _instant(self, k: int, low: int, high: int) -> Instant:
        key = (k, low, high)
        found = self._instants.get(key)
        if found is None:
            if len(self._instants) > 20_000:
                self._instants.clear()
            found = self._instants[key] = Instant(self.arm, self.pieces[k], low, high, self.sizes)
        return found

    def _prove_interval(self, needed: int, bounds: Bounds, what: str, unit: str, k: int, low: int, high: int) -> int:
        waiting = [(low, high)]
        least: list[int] = []
        while waiting:
            low, high = waiting.pop()
            throughout, now = bounds(self._instant(k, low, high))
            if throughout >= needed:
                least.append(throughout)
                continue
            self.bisections += 1
            middle = (low + high) >> 1
            if not (now >= needed and low < middle < high and self.bisections < MAX_BISECTIONS):
                at = float(self.pieces[k].start) + middle / ONE * float(self.pieces[k].end - self.pieces[k].start)
                raise NotProved(f"{what} leaves {now / ONE:.6g} {unit} at t = {at:.6g}")
            waiting += [(middle, high), (low, middle)]
        return min(least)


def gaps(instant: Instant, a: Placed, b: Placed, plane: Plane, needed: int) -> tuple[int, int]:
    """Lower bounds on the gap along the direction over the interval, and at its middle; the latter is left out if the
    former is as needed."""
    twist = instant.twist(a, b.anchor)
    h = instant.h
    of_b, of_a = instant.poses[b.anchor], instant.poses[a.anchor]
    nx, ny, nz = rotate(of_b, plane.n) if b.anchor else plane.n
    cx, cy, cz = twist.center
    px, py, pz = of_b.p
    begin = plane.height + ((nx * (px - cx) + ny * (py - cy) + nz * (pz - cz)) >> PLACES) - instant.error(twist.travel)
    wx, wy, wz = twist.omega
    tx = h * ((ny * wz - nz * wy) >> PLACES) >> PLACES
    ty = h * ((nz * wx - nx * wz) >> PLACES) >> PLACES
    tz = h * ((nx * wy - ny * wx) >> PLACES) >> PLACES
    vx, vy, vz = twist.velocity
    drift = h * ((nx * vx + ny * vy + nz * vz) >> PLACES) >> PLACES

    def reach(d: Vector) -> int:
        in_anchor = rotate_back(of_a, d) if a.anchor else d
        return a.shape.support(rotate_back(a.at, in_anchor))

    after = reach((nx + tx, ny + ty, nz + tz)) + drift
    before = reach((nx - tx, ny - ty, nz - tz)) - drift
    loss = (times_up(times_up(times_up(twist.acceleration, plane.length), h), h) >> 1) + 1
    throughout = begin - max(after, before) - loss
    if throughout >= needed:
        return throughout, throughout
    return throughout, begin - reach((nx, ny, nz))
