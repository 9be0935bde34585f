"""Path constraints (docs/constraints.md): conditions on every state of the motion, which need nothing from the certificate.

Each is a margin that must not be negative; over an interval of half width h it is bounded as in `planes`, from the middle.
x is the origin of the frame, or a direction of it, e = x(0) ± h x'(0) are the ends of its straight motion, and
loss = A h^2 / 2 bounds how far the motion is from it (Taylor). Functions of which a line attains the least value at an end
(concave ones) are evaluated at both ends; if they are 1-Lipschitz, the loss is subtracted.

    region       minus the signed distance from a convex set, which is concave and 1-Lipschitz
    tilt         sin(w) a·b - cos(w) |a x b| = sin(w - angle), for w <= 90 deg: concave and 1-Lipschitz in a. For larger w it is
                 convex, and at least n·a for n = sin(w) b + |cos(w)| u and any u with |u| <= 1: linear
    speed        most T - |x'|, of x'(0) ± h x''(0) and with the loss B h^2 / 2, B a bound on |x'''|
    joint        linear: the range less |q'| h + |q''| h^2 / 2
    orientation  |components| of the rotation vector, which change at most pi/2 times as fast as the orientation
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any, Callable, Optional

from . import fields
from .arithmetic import HALF_PI, ONE, PLACES, fixed, fixed_fraction, metres_up, norm_up, sin_cos, times_up, unit_vector
from .motion import DERIVATIVE_ERROR, RATE_ERROR, Piece, rates_at
from .outcome import BadInput, NotProved, OutsideScope
from .planes import Bounds, Prover
from .poses import IDENTITY, Pose, Vector, about_axis, compose, rotate, rotate_back
from .relative import Arm, Instant, Placed, placed, sizes_of
from .program import tcp_link
from .robot import pose_of
from .scene import Scene
from .shapes import FIELDS, Round

#: Excesses of rad or m that count as rounding errors, and of speeds relative to the limit (docs/constraints.md).
TOLERANCE = Fraction(1, 10**9)
SPEED_TOLERANCE = Fraction(1, 10**6)
#: Half a turn, rounded down: HALF_PI has 32 further places.
PI = HALF_PI >> 31
#: Radians: half a turn and 1e-4.
MAX_WITHIN = 3.141692653589793


def dot(a: Vector, b: Vector) -> int:
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) >> PLACES


def cross(a: Vector, b: Vector) -> Vector:
    (x, y, z), (u, v, w) = a, b
    return (y * w - z * v) >> PLACES, (z * u - x * w) >> PLACES, (x * v - y * u) >> PLACES


def along(x: Vector, v: Vector, time: int) -> Vector:
    """x + time v."""
    return x[0] + (v[0] * time >> PLACES), x[1] + (v[1] * time >> PLACES), x[2] + (v[2] * time >> PLACES)


def loss_of(bound: int, h: int) -> int:
    return (times_up(times_up(bound, h), h) >> 1) + 1


def prove_constraints(given: Any, place: str, scene: Scene, arm: Arm, pieces: list[Piece], is_timed: bool, span: tuple[float, float]) -> None:
    """Raises `NotProved` unless all constraints hold at every time of the span."""
    for i, one in enumerate(fields.items(given, place)):
        at = f"{place}[{i}]"
        kind = fields.text(one.get("type"), f"{at}.type")
        reader = _KINDS.get(kind)
        if reader is None:
            raise OutsideScope(f"{at}: a constraint of the type {kind}")
        keys, create = reader
        fields.known_keys(one, ["name", "type", *keys], at)
        frame = None if kind == "joint" else _frame(one.get("frame"), scene, arm, at)
        bounds, more = create(one, at, scene, arm, frame)
        if kind == "speed" and not is_timed:
            continue
        parts = [part for part in (frame, more) if part is not None]
        prover = Prover(arm, pieces, sizes_of(arm, parts), 0.0)
        try:
            prover.prove(*span, 0, bounds, "it", "(rad, m, or m in the time of a segment)")
        except NotProved as problem:
            raise NotProved(f"{at}, {one.get('name', kind)!r}: {problem}") from None


def _point(anchor: int, at: Pose) -> Placed:
    return placed("", 0, anchor, Round("sphere", [0, 0, 0], 0, 0), at, at, True)


def _frame(given: Any, scene: Scene, arm: Arm, place: str) -> Placed:
    """The frame of a constraint; by default the tool center point."""
    stated = scene.tcp if given is None else fields.record(given, f"{place}.frame")
    fields.known_keys(stated, ("link", "xyz", "rpy", "quat_wxyz"), f"{place}: frame")
    if "link" not in stated and given is not None:
        raise OutsideScope(f"{place}.frame: without a link")
    link = fields.text(stated["link"], f"{place}.frame.link") if "link" in stated else tcp_link(scene)
    if link not in arm.links:
        raise BadInput(f"{place}.frame: there is no link {link!r}")
    anchor, at = arm.links[link]
    pose = pose_of({key: value for key, value in stated.items() if key != "link"}, f"{place}.frame")
    return _point(anchor, compose(at, pose))


def _within(value: Any, place: str) -> int:
    angle = fields.number(value, place, MAX_WITHIN)
    if not angle > 0:
        raise BadInput(f"{place}: it must be greater than 0")
    return fixed(angle) + fixed_fraction(TOLERANCE)


def _direction(given: Any, place: str) -> Vector:
    direction = fields.triple(given, place, 1e150)
    if direction == (0, 0, 0):
        raise BadInput(f"{place}: it has no direction")
    return unit_vector(direction)


def _turning(instant: Instant, part: Placed) -> tuple[int, int]:
    """Bounds on the angular speed of a frame, sum of w, and on the second derivative of a direction of it: as (3) of
    docs/proof.md with d = 1, sum of change + (sum of w)^2."""
    speeds = changes = 0
    for i, _ in instant.arm.passages(part.anchor, 0):
        if not instant.arm.anchors[i].is_prismatic:
            speeds += instant.axes[i][3]
            changes += instant.axes[i][4]
    return speeds, changes + times_up(speeds, speeds)


Created = tuple[Bounds, Optional[Placed]]


def _tilt(one: dict[str, Any], place: str, scene: Scene, arm: Arm, frame: Optional[Placed]) -> Created:
    assert frame is not None
    own = rotate(frame.at, _direction(one.get("axis"), f"{place}.axis"))
    b = _direction(one.get("towards"), f"{place}.towards")
    within = _within(one.get("within"), f"{place}.within")
    if within >= PI:
        return (lambda instant: (0, 0)), None
    # The cosine of w <= 90 deg is not negative, that of a larger one not positive: within the errors, which are subtracted.
    s, c = sin_cos(within)

    def height(a: Vector) -> int:
        return (s * dot(a, b) - c * norm_up(*cross(a, b)) >> PLACES) - 4

    def bounds(instant: Instant) -> tuple[int, int]:
        twist = instant.twist(frame, 0)
        a = rotate(instant.poses[frame.anchor], own)
        rate = cross(twist.omega, a)
        error = instant.error(twist.travel)
        loss = loss_of(_turning(instant, frame)[1], instant.h) + error
        now = height(a)
        if c >= 0:
            return min(height(along(a, rate, instant.h)), height(along(a, rate, -instant.h))) - loss, now - error
        level = dot(a, b)
        u = along(a, b, -level)
        # Rounding leaves less than 2^4 units of u along b, 2^24 after this division; |n| is at most 1 whatever is divided by.
        size = max(norm_up(*u), ONE >> 20)
        n = along((0, 0, 0), b, s)
        n = along(n, ((u[0] << PLACES) // size, (u[1] << PLACES) // size, (u[2] << PLACES) // size), -c)
        return dot(n, a) - abs(dot(n, rate) * instant.h >> PLACES) - loss - (1 << 25), now - error

    return bounds, None


def _region(one: dict[str, Any], place: str, scene: Scene, arm: Arm, frame: Optional[Placed]) -> Created:
    assert frame is not None
    distance = _signed_distance(fields.record(one.get("shape"), f"{place}.shape"), f"{place}.shape")
    pose = pose_of(one.get("pose"), f"{place}.pose")
    px, py, pz = pose.p

    def margin(x: Vector) -> int:
        return -distance(rotate_back(pose, (x[0] - px, x[1] - py, x[2] - pz)))

    def bounds(instant: Instant) -> tuple[int, int]:
        twist = instant.twist(frame, 0)
        x, v, h = twist.center, twist.velocity, instant.h
        error = instant.error(twist.travel)
        ends = min(margin(along(x, v, h)), margin(along(x, v, -h)))
        return ends - loss_of(twist.acceleration, h) - error, margin(x) - error

    return bounds, _point(0, pose)


def _quotient_up(numerator: int, square: int) -> int:
    """numerator / sqrt(square), rounded up."""
    root = math.isqrt(square)
    return -(-numerator // root) if numerator > 0 else -(-numerator // (root + 1))


def _signed_distance(shape: dict[str, Any], place: str) -> Callable[[Vector], int]:
    """An upper bound on the signed distance from a convex set, less the tolerance: convex and 1-Lipschitz but for its
    rounding. Of frustums, ellipsoids and hulls a function that is nowhere less than the signed distance within the set, and
    not negative outside: the greatest height above a plane or wall, and (gauge - 1) times the least radius; no tolerance."""
    kind = fields.text(shape.get("type"), f"{place}.type")
    if kind not in FIELDS or kind == "mesh":
        raise OutsideScope(f"{place}: a region of the type {kind}")
    fields.known_keys(shape, ["type", "margin", *FIELDS[kind]], place)
    margin = fields.number(shape.get("margin", 0.0), f"{place}.margin", fields.MAX_LENGTH)
    if margin < 0:
        raise BadInput(f"{place}.margin: it is negative")
    if margin > 0 and kind in ("cone", "frustum", "ellipsoid", "convex"):
        raise OutsideScope(f"{place}: a {kind} with a margin as a region")
    around = fixed(margin) + fixed_fraction(TOLERANCE)

    def size(key: str) -> int:
        return fixed(fields.positive(shape.get(key), f"{place}.{key}"))

    def outside(*excess: int) -> int:
        return norm_up(*(max(0, x) for x in (*excess, 0)[:3])) if max(excess) > 0 else max(excess)

    if kind == "box":
        x, y, z = (fixed(fields.positive(edge, f"{place}.size")) >> 1 for edge in fields.triple(shape.get("size"), f"{place}.size"))
        return lambda p: outside(abs(p[0]) - x, abs(p[1]) - y, abs(p[2]) - z) - around
    if kind == "halfspace":
        n = _direction(shape.get("normal"), f"{place}.normal")
        return lambda p: dot(n, p) + 1 - around
    if kind == "convex":
        return _polytope(shape.get("points"), f"{place}.points")
    if kind == "ellipsoid":
        radii = [fixed(fields.positive(r, f"{place}.radii")) for r in fields.triple(shape.get("radii"), f"{place}.radii")]
        least = min(radii)
        return lambda p: ((norm_up(*(-(-(abs(x) << PLACES) // r) for x, r in zip(p, radii))) - ONE) * least >> PLACES) + 1
    half = 0 if kind == "sphere" else size("length") >> 1
    if kind in ("sphere", "capsule"):
        radius = size("radius")
        return lambda p: norm_up(p[0], p[1], max(0, abs(p[2]) - half)) - radius - around
    if kind == "cylinder":
        radius = size("radius")
        return lambda p: outside(norm_up(p[0], p[1], 0) - radius, abs(p[2]) - half) - around
    if kind == "cone":
        bottom, top = size("radius"), 0
    else:
        bottom, top = (fixed(fields.number(shape.get(key), f"{place}.{key}", fields.MAX_LENGTH)) for key in ("radiusBottom", "radiusTop"))
        if bottom < 0 or top < 0:
            raise BadInput(f"{place}: a radius is negative")
    length, step = 2 * half, top - bottom
    square = length * length + step * step

    def wall(p: Vector) -> int:
        above = (norm_up(p[0], p[1], 0) - bottom) * length - (p[2] + half) * step
        return max(abs(p[2]) - half, _quotient_up(above, square))

    return wall


def _polytope(given: Any, place: str) -> Callable[[Vector], int]:
    """The hull of points: all planes through three of them that have no point above, in exact integers."""
    if not isinstance(given, list) or not 1 <= len(given) <= 60:
        raise BadInput(f"{place}: it must be a list of 1 to 60 points")
    ratios = [[x.as_integer_ratio() for x in fields.triple(p, f"{place}[{i}]")] for i, p in enumerate(given)]
    common = max(d for point in ratios for _, d in point)
    points = list(dict.fromkeys(tuple(n * (common // d) for n, d in point) for point in ratios))
    planes: set[tuple[tuple[int, ...], int]] = set()
    for o, p, q in combinations(points, 3):
        (a, b, c), (d, e, f) = ([x - y for x, y in zip(end, o)] for end in (p, q))
        n = (b * f - c * e, c * d - a * f, a * e - b * d)
        if n == (0, 0, 0):
            continue
        base = sum(x * y for x, y in zip(n, o))
        heights = [sum(x * y for x, y in zip(n, point)) - base for point in points]
        low, high = min(heights), max(heights)
        if low == high == 0:
            continue  # all points are in this plane
        divisor = math.gcd(*n) if (low >= 0 or high <= 0) else 0
        if divisor and high <= 0:
            planes.add((tuple(x // divisor for x in n), base // divisor))
        elif divisor:
            planes.add((tuple(-x // divisor for x in n), -base // divisor))
    if not planes:
        raise BadInput(f"{place}: the points are in a plane, and there is no margin")
    # Normals count 2^-128 of themselves, so that the root of their square is exact enough.
    walls = [(n, -(-(base << PLACES) // common), sum(x * x for x in n)) for n, base in planes]

    def height(p: Vector) -> int:
        return max(
            _quotient_up((sum(x * y for x, y in zip(n, p)) - base + 1) << 128, square << 256) for n, base, square in walls
        )

    return height


def _speed(one: dict[str, Any], place: str, scene: Scene, arm: Arm, frame: Optional[Placed]) -> Created:
    assert frame is not None
    most = Fraction(fields.positive(one.get("most"), f"{place}.most")) * (1 + SPEED_TOLERANCE)

    def bounds(instant: Instant) -> tuple[int, int]:
        duration = instant.piece.end - instant.piece.start
        if duration == 0:
            return 0, 0
        limit = fixed_fraction(most * duration)
        velocity, acceleration, jerk, error = _derivatives(instant, frame)
        ends = [norm_up(*along(velocity, acceleration, time)) for time in (instant.h, -instant.h)]
        return limit - max(ends) - loss_of(jerk, instant.h) - error, limit - norm_up(*velocity) - error

    return bounds, None


def _derivatives(instant: Instant, point: Placed) -> tuple[Vector, Vector, int, int]:
    """x' and x'' of a point at the middle, a bound on |x'''| over the interval, and on the errors of x' + t x''.

    With u = dx/dq of joint k and W the angular velocity of the joints nearer to the base (docs/proof.md):
        x' = sum q' u,     x'' = sum q'' u + q' (2 W + [revolute] q' z) x u.
    Bounds B1, B2, B3 on the derivatives of x in the frame of a joint, from the tip to the base; x passes a joint of angle q as
    R(q) x, where |R'| <= w, |R''| <= c + w^2, |R'''| <= j + 3 w c + w^3 on points at distance 1 from the axis, with w, c, j
    bounds on |q'|, |q''|, |q'''|; d is the greatest distance from the axis over the interval.
    Errors, with E, D, F of `Instant.error` and Y = sum of w + c: those of u at most 2 E D + 2 F, of rates, axes and W at most
    E (1 + Y): in all less than 64 (E D + F + 8) (1 + Y)^2.
    """
    arm, h = instant.arm, instant.h
    cx, cy, cz = instant.twist(point, 0).center
    chain = [i for i, _ in arm.passages(point.anchor, 0)]
    bends = {}
    one = two = three = total = 0
    for i in chain:
        anchor = arm.anchors[i]
        axis, (ox, oy, oz), _, w, c = instant.axes[i]
        row = instant.piece.coefficients[anchor.variable]
        factor = fixed_fraction(anchor.multiplier)
        rates = rates_at([n * a for n, a in enumerate(row)][1:] or [0], instant.middle, h)
        bends[i] = factor * rates.velocity >> PLACES
        j = times_up(abs(factor) + 1, rates.change)
        total += w + c
        if anchor.is_prismatic:
            one, two, three = one + w, two + c, three + j
            continue
        arm_of = cross(axis, (cx - ox, cy - oy, cz - oz))
        d = norm_up(*arm_of) + times_up(one, h) + instant.of_distance
        turned = c + times_up(w, w)
        twisted = j + times_up(w, 3 * c + times_up(w, w))
        three += times_up(3 * w, two) + times_up(3 * turned, one) + times_up(twisted, d)
        two += times_up(2 * w, one) + times_up(turned, d)
        one += times_up(w, d)
    velocity: Vector = (0, 0, 0)
    acceleration: Vector = (0, 0, 0)
    omega: Vector = (0, 0, 0)
    for i in reversed(chain):
        axis, (ox, oy, oz), rate, _, _ = instant.axes[i]
        prismatic = arm.anchors[i].is_prismatic
        u = axis if prismatic else cross(axis, (cx - ox, cy - oy, cz - oz))
        velocity = along(velocity, u, rate)
        acceleration = along(acceleration, u, bends[i])
        twice = along(omega, omega, ONE)
        acceleration = along(acceleration, cross(twice if prismatic else along(twice, axis, rate), u), rate)
        omega = omega if prismatic else along(omega, axis, rate)
    size = metres_up(total)
    return velocity, acceleration, three, instant.error(size) * (size + 1)


def _joint(one: dict[str, Any], place: str, scene: Scene, arm: Arm, frame: Optional[Placed]) -> Created:
    name = fields.text(one.get("joint"), f"{place}.joint")
    if name not in scene.planned:
        raise BadInput(f"{place}.joint: there is no planned joint {name!r}")
    low, high = (Fraction(x) for x in fields.numbers(one.get("range"), 2, f"{place}.range"))
    if low > high:
        raise BadInput(f"{place}.range: the second is below the first")
    variable = scene.planned.index(name)
    bottom, top = fixed_fraction(low - TOLERANCE) + 1, fixed_fraction(high + TOLERANCE)

    def bounds(instant: Instant) -> tuple[int, int]:
        rates = rates_at(instant.piece.coefficients[variable], instant.middle, instant.h)
        moved = times_up(abs(rates.velocity) + DERIVATIVE_ERROR, instant.h) + loss_of(rates.change, instant.h)
        now = min(rates.value - bottom, top - rates.value) - RATE_ERROR
        return now - moved, now

    return bounds, None


def _orientation(one: dict[str, Any], place: str, scene: Scene, arm: Arm, frame: Optional[Placed]) -> Created:
    """A rotation vector is proposed in floating point, and its rotation compared with that of the frame: rotations whose
    matrices are f apart (Frobenius) are an angle of at most pi / (2 sqrt(2)) f < 1.2 f apart, and components of rotation
    vectors differ by at most pi/2 times that in magnitude: less than 2 f."""
    assert frame is not None
    if "rpy" not in one and "quat_wxyz" not in one:
        raise OutsideScope(f"{place}: an orientation without rpy and quat_wxyz")
    wanted = pose_of({key: one[key] for key in ("rpy", "quat_wxyz") if key in one}, place)
    within = one.get("within")
    if not isinstance(within, list) or len(within) != 3:
        raise BadInput(f"{place}.within: it must be a list of 3 angles")
    limits = [_within(angle, f"{place}.within[{i}]") for i, angle in enumerate(within)]
    r = wanted.r
    back = Pose((r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]), (0, 0, 0), wanted.turn, 0)

    def bounds(instant: Instant) -> tuple[int, int]:
        turned = compose(back, compose(instant.poses[frame.anchor], frame.at))
        vector = _rotation_vector([x / ONE for x in turned.r])
        size = math.sqrt(sum(x * x for x in vector))
        axis = unit_vector(vector) if size > 0 else (ONE, 0, 0)
        angle = min(fixed(size), PI - 2)
        again = about_axis(axis, angle, 1)
        apart = math.isqrt(sum((x - y) * (x - y) for x, y in zip(again.r, turned.r))) + 1 + again.turn + turned.turn
        components = [abs(x * angle >> PLACES) + 3 + 4 * metres_up(angle) for x in axis]
        now = min(limit - x for limit, x in zip(limits, components) if limit < PI) - 2 * apart if min(limits) < PI else 0
        moved = 8 * times_up(_turning(instant, frame)[0], instant.h) // 5 + 1  # pi/2 < 8/5
        return (now - moved if min(limits) < PI else 0), now

    return bounds, _point(0, Pose(IDENTITY.r, (0, 0, 0), wanted.turn, 0))


def _rotation_vector(r: list[float]) -> tuple[float, float, float]:
    """Rotation vector of a matrix, in floating point: from the largest of the components of its quaternion."""
    q = [
        [1 + r[0] + r[4] + r[8], r[7] - r[5], r[2] - r[6], r[3] - r[1]],
        [r[7] - r[5], 1 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6]],
        [r[2] - r[6], r[1] + r[3], 1 - r[0] + r[4] - r[8], r[5] + r[7]],
        [r[3] - r[1], r[2] + r[6], r[5] + r[7], 1 - r[0] - r[4] + r[8]],
    ]
    k = max(range(4), key=lambda i: q[i][i])
    w, x, y, z = (value if q[k][0] >= 0 else -value for value in q[k])
    length = math.sqrt(x * x + y * y + z * z)
    factor = 2 * math.atan2(length, w) / length if length > 0 else 0.0
    return x * factor, y * factor, z * factor


_KINDS: dict[str, tuple[list[str], Callable[..., Created]]] = {
    "tilt": (["axis", "towards", "within", "frame"], _tilt),
    "orientation": (["rpy", "quat_wxyz", "within", "frame"], _orientation),
    "region": (["shape", "pose", "frame"], _region),
    "speed": (["most", "frame"], _speed),
    "joint": (["joint", "range"], _joint),
}
