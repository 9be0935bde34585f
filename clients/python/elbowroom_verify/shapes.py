"""Convex parts: a set of points or a round shape, and an upper bound on its support function max d·r.

All shapes are centred as URDF and scenes state; r is relative to the origin of the shape's frame.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any, Optional

from . import fields
from .arithmetic import PLACES, fixed_fraction, fixed_up, metres_up, norm_up, times_up
from .outcome import BadInput, OutsideScope
from .poses import Vector

#: Vertices of a group that is bounded before its vertices are evaluated.
GROUP = 24


class Shape:
    """`support(d)` bounds max d·r from above, for any fixed-point d, with errors of its own included.

    `reach` is a whole number of metres that bounds the distance of all points from `center`, at least 1; `center` is any
    point (exact in fixed point), and supports are about it: max d·(r - center). `radius` bounds the same distance in units.
    """

    center: Vector = (0, 0, 0)
    radius: int
    reach: int
    #: The outward normal of a half-space, of any length; None for bounded shapes.
    plane: Optional[tuple[float, float, float]] = None

    def support(self, d: Vector) -> int:
        raise NotImplementedError


class Hull(Shape):
    """All vertices of a mesh or of a list of points, with a margin around them. Each coordinate, a double times a scale,
    is rounded by less than 1 unit, so that d·r is off by less than 2 |d|, which `support` adds."""

    def __init__(self, points: list[tuple[float, float, float]], scale: fields.Triple, margin: float) -> None:
        factors = [Fraction(s) for s in scale]
        whole = [tuple(fixed_fraction(Fraction(x) * f) for x, f in zip(point, factors)) for point in points]
        if any(abs(x) >> PLACES > fields.MAX_LENGTH for point in whole for x in point):
            raise BadInput("a vertex of a scaled mesh is beyond 1e7 m")
        lows, highs = [[pick(p[k] for p in whole) for k in range(3)] for pick in (min, max)]
        x, y, z = ((a + b) >> 1 for a, b in zip(lows, highs))
        self.center = (x, y, z)
        self.vertices: list[Vector] = [(p[0] - x, p[1] - y, p[2] - z) for p in dict.fromkeys(whole)]
        self.margin = fixed_up(margin)
        self.radius = max(norm_up(*v) for v in self.vertices) + self.margin + 4
        self.reach = metres_up(self.radius)
        self.groups = _groups(self.vertices) if len(self.vertices) > 2 * GROUP else []

    def support(self, d: Vector) -> int:
        x, y, z = d
        if not self.groups:
            best = max([x * a + y * b + z * c for a, b, c in self.vertices])
        else:
            best = self._best_of_groups(x, y, z)
        return (best >> PLACES) + 1 + times_up(self.margin + 2, norm_up(x, y, z))

    def _best_of_groups(self, x: int, y: int, z: int) -> int:
        """The maximum over all vertices. A group is skipped if the corner of its box is no higher than a vertex found."""
        corners = ((h0 if x > 0 else l0, h1 if y > 0 else l1, h2 if z > 0 else l2) for (l0, l1, l2), (h0, h1, h2), _ in self.groups)
        bounds = [x * a + y * b + z * c for a, b, c in corners]
        best: Optional[int] = None
        for i in sorted(range(len(bounds)), key=bounds.__getitem__, reverse=True):
            if best is not None and bounds[i] <= best:
                break
            found = max([x * a + y * b + z * c for a, b, c in self.groups[i][2]])
            best = found if best is None else max(best, found)
        assert best is not None
        return best


def _groups(vertices: list[Vector]) -> list[tuple[Vector, Vector, list[Vector]]]:
    """Halves the vertices along the longest side of their box until few are left: boxes and their vertices."""
    lows = tuple(min(v[k] for v in vertices) for k in range(3))
    highs = tuple(max(v[k] for v in vertices) for k in range(3))
    if len(vertices) <= GROUP:
        return [(lows, highs, vertices)]  # type: ignore[list-item]
    k = max(range(3), key=lambda i: highs[i] - lows[i])
    order = sorted(vertices, key=lambda v: v[k])
    middle = len(order) // 2
    return _groups(order[:middle]) + _groups(order[middle:])


class Round(Shape):
    """Box, sphere, capsule, cylinder, cone, frustum or ellipsoid, with a margin. Sizes are doubles, rounded up: the shape
    can only become larger. With rho the length of (dx, dy), rounded up:

    box sum of half edge · |d|, capsule h |dz|, cylinder R rho + h |dz|, ellipsoid |(a dx, b dy, c dz)|,
    frustum (cone: upper radius 0) max(R0 rho - h dz, R1 rho + h dz); and |d| times the margin.
    """

    def __init__(self, kind: str, sizes: list[int], margin: int, extent: int) -> None:
        self.kind = kind
        self.sizes = sizes
        self.margin = margin
        self.radius = extent + margin + 4
        self.reach = metres_up(self.radius)

    def support(self, d: Vector) -> int:
        x, y, z = d
        a, b, c = self.sizes
        kind = self.kind
        if kind == "box":
            core = (a * abs(x) + b * abs(y) + c * abs(z) >> PLACES) + 1
            return core + (times_up(self.margin, norm_up(x, y, z)) if self.margin else 0)
        if kind == "sphere":
            core = 0
        elif kind == "capsule":
            core = times_up(c, abs(z))
        elif kind == "ellipsoid":
            core = norm_up(times_up(a, abs(x)), times_up(b, abs(y)), times_up(c, abs(z)))
        else:
            rho = isqrt(x * x + y * y) + 1
            if kind == "cylinder":
                core = times_up(a, rho) + times_up(c, abs(z))
            else:
                slope = c * z >> PLACES  # rounded by less than 1, which the 1 below covers
                core = max(times_up(a, rho) - slope, times_up(b, rho) + slope + 1)
        return core + (times_up(self.margin, norm_up(x, y, z)) if self.margin else 0)


class HalfSpace(Shape):
    """The points whose height along a normal is at most the margin; without a support but along this normal."""

    def __init__(self, normal: tuple[float, float, float], margin: float) -> None:
        self.plane = normal
        self.margin = fixed_up(margin)
        self.radius = self.margin + 4
        self.reach = metres_up(self.radius)


#: Fields of the shapes of scenes besides type, name, pose and margin.
FIELDS = {
    "box": {"size"},
    "sphere": {"radius"},
    "cylinder": {"radius", "length"},
    "capsule": {"radius", "length"},
    "cone": {"radius", "length"},
    "frustum": {"radiusBottom", "radiusTop", "length"},
    "ellipsoid": {"radii"},
    "convex": {"points"},
    "halfspace": {"normal"},
    "mesh": {"file", "scale", "parts"},
}


def primitive(data: dict[str, Any], place: str) -> Shape:
    """A shape of a scene, or of a URDF in the same fields; not a mesh."""
    kind = data["type"]
    if kind not in FIELDS:
        raise OutsideScope(f"{place}: a {kind} (supported: {', '.join(sorted(FIELDS))})")
    margin = fields.number(data.get("margin", 0.0), f"{place}.margin", fields.MAX_LENGTH)
    if margin < 0:
        raise BadInput(f"{place}.margin: {margin} is negative")
    if kind == "halfspace":
        normal = fields.triple(data.get("normal"), f"{place}.normal")
        if normal == (0, 0, 0):
            raise BadInput(f"{place}.normal: it has no direction")
        return HalfSpace(normal, margin)
    if kind == "convex":
        points = data.get("points")
        if not isinstance(points, list) or not points:
            raise BadInput(f"{place}.points: it must be a list of points")
        return Hull([fields.triple(p, f"{place}.points[{i}]") for i, p in enumerate(points)], (1.0, 1.0, 1.0), margin)
    rounded = fixed_up(margin)

    def size(key: str) -> int:
        return fixed_up(fields.positive(data.get(key), f"{place}.{key}"))

    def sizes(key: str) -> list[int]:
        return [fixed_up(fields.positive(x, f"{place}.{key}")) for x in fields.triple(data.get(key), f"{place}.{key}")]

    if kind == "sphere":
        return Round(kind, [0, 0, 0], size("radius") + rounded, 0)
    if kind == "box":
        half = [(edge + 1) >> 1 for edge in sizes("size")]
        return Round(kind, half, rounded, norm_up(*half))
    if kind == "ellipsoid":
        radii = sizes("radii")
        return Round(kind, radii, rounded, max(radii))
    half_length = (size("length") + 1) >> 1
    if kind == "capsule":
        return Round(kind, [0, 0, half_length], size("radius") + rounded, half_length)
    if kind == "frustum":
        radii = (fields.number(data.get(key), f"{place}.{key}", fields.MAX_LENGTH) for key in ("radiusBottom", "radiusTop"))
        bottom, top = (fixed_up(radius) for radius in radii)
        if bottom < 0 or top < 0:
            raise BadInput(f"{place}: a radius is negative")
    else:
        bottom = size("radius")
        top = bottom if kind == "cylinder" else 0
    return Round(kind, [bottom, top, half_length], rounded, norm_up(max(bottom, top), half_length, 0))
