"""Trajectories, and joint values over time: one polynomial per joint and piece.

A piece is parametrized by s from 0 to 1: q(s) = sum a_n s^n. With displacement D, duration T, velocities v, w and
accelerations a, b at its ends (times T or T^2):
    line     a1 = D
    cubic    a1 = v, a2 = 3 D - 2 v - w, a3 = v + w - 2 D
    quintic  a1 = v, a2 = a/2, a3 = 10 D - 6 v - 4 w - 3a/2 + b/2, a4 = -15 D + 8 v + 7 w + 3a/2 - b,
             a5 = 6 D - 3 v - 3 w - a/2 + b/2
which match all values at both ends (docs/controllers.md says which of them a segment follows).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple, Optional, Sequence

from . import fields
from .arithmetic import ONE, PLACES, fixed_fraction
from .json_text import parse, read_text, sha256, text_of
from .outcome import BadInput, NotProved, OutsideScope

#: Absolute, rad or m: a first point that is nearer to the start is taken to be the start.
START_TOLERANCE = Fraction(1, 1000)
#: Greatest time, seconds.
MAX_TIME = 2147483647


class Point(NamedTuple):
    time: Optional[float]
    q: list[float]
    v: Optional[list[float]]
    a: Optional[list[float]]


class Trajectory(NamedTuple):
    names: list[str]
    points: list[Point]
    interpolation: Optional[str]
    segments: Optional[list[dict[str, Any]]]
    events: Optional[list[dict[str, Any]]]
    #: SHA-256 of the names and points as they are written.
    digest: str

    @property
    def is_timed(self) -> bool:
        return self.points[0].time is not None

    @property
    def end(self) -> float:
        last = self.points[-1].time
        return float(len(self.points) - 1) if last is None else last


class Piece(NamedTuple):
    """Joint values on [start, end]; `coefficients[j]` are a_0 … a_n of joint j, each rounded by less than 1 unit."""

    start: Fraction
    end: Fraction
    coefficients: list[list[int]]


_KEYS = (
    "format robot calibration scene joint_names points interpolation planner seed edges cut_short hash segments "
    "events signals name description"
).split()


def read_trajectory(path: str) -> Trajectory:
    return trajectory_of(read_text(path), path)


def trajectory_of(text: str, path: str) -> Trajectory:
    if not text.lstrip().startswith("{"):
        raise OutsideScope(f"{path}: a trajectory that is not JSON with joint_names and points")
    data = fields.record(parse(text, path), path)
    if data.get("format", "elbowroom-trajectory/1") != "elbowroom-trajectory/1":
        raise BadInput(f"{path}: its format is not elbowroom-trajectory/1")
    if "joint_names" not in data and "points" not in data:
        raise BadInput(f"{path}: a trajectory has joint_names and points")
    fields.known_keys(data, _KEYS, path)
    names = fields.texts(data.get("joint_names"), f"{path}: joint_names")
    if not names or len(set(names)) < len(names):
        raise BadInput(f"{path}: joint_names: there are none, or one is listed twice")
    given = fields.items(data.get("points"), f"{path}: points")
    if not given:
        raise BadInput(f"{path}: points: there are none")
    points = [_point(one, len(names), f"{path}: points[{i}]") for i, one in enumerate(given)]
    for i, (before, after) in enumerate(zip(points, points[1:])):
        if (before.time is None) != (after.time is None):
            raise BadInput(f"{path}: points[{i + 1}]: every point has a time, or none has")
        if before.time is not None and after.time is not None and after.time <= before.time:
            raise BadInput(f"{path}: points[{i + 1}]: its time does not come after that of the point before")
    stated = data.get("interpolation")
    if stated not in (None, "linear", "cubic", "quintic"):
        raise BadInput(f"{path}: interpolation: {stated!r} is unknown")
    if all(point.time is None and point.v is None and point.a is None for point in points) and stated != "linear":
        stated = None
    for i, point in enumerate(points):
        if stated in ("cubic", "quintic") and (point.time is None or point.v is None):
            raise BadInput(f"{path}: points[{i}]: interpolation is {stated}, and time or velocities are missing")
        if stated == "quintic" and point.a is None:
            raise BadInput(f"{path}: points[{i}]: interpolation is quintic, and accelerations are missing")
        if stated != "linear" and (point.time is None and (point.v or point.a) or point.a and not point.v):
            raise BadInput(f"{path}: points[{i}]: velocities without times, or accelerations without velocities")
    written = [_as_hashed(one) for one in given]
    segments, events = (
        None if data.get(key) is None else fields.items(data[key], f"{path}: {key}") for key in ("segments", "events")
    )
    return Trajectory(names, points, stated, segments, events, sha256(f"[{text_of(names)},{text_of(written)}]"))


def _point(data: dict[str, Any], count: int, place: str) -> Point:
    fields.known_keys(data, ("time_from_start", "positions", "velocities", "accelerations", "effort"), place)

    def row(key: str, largest: float) -> Optional[list[float]]:
        return None if data.get(key) in (None, []) else fields.numbers(data[key], count, f"{place}.{key}", largest)

    time = data.get("time_from_start")
    if isinstance(time, dict):
        raise OutsideScope(f"{place}: a time of ROS (seconds are read)")
    if time is not None:
        time = fields.number(time, f"{place}.time_from_start", MAX_TIME)
        if time < 0:
            raise NotProved(f"the motion begins at t = {time}, before 0")
    q = fields.numbers(data.get("positions"), count, f"{place}.positions", fields.MAX_ANGLE)
    return Point(time, q, row("velocities", 1e300), row("accelerations", 1e300))


def _as_hashed(data: dict[str, Any]) -> dict[str, Any]:
    """A point as it is hashed: as it is written, unless it has empty lists, which are left out."""
    if data.get("velocities") != [] and data.get("accelerations") != []:
        return data
    keys = ("time_from_start", "positions", "velocities", "accelerations")
    return {key: data[key] for key in keys if data.get(key) not in (None, [])}


def in_order(trajectory: Trajectory, planned: list[str]) -> Trajectory:
    """The trajectory with its values in the order of the planned joints."""
    if set(trajectory.names) != set(planned):
        if set(trajectory.names) < set(planned) or set(planned) < set(trajectory.names):
            raise OutsideScope("a trajectory that does not list exactly the planned joints")
        raise BadInput(f"joint_names: the planned joints are {', '.join(planned)}")
    order = [trajectory.names.index(name) for name in planned]

    def picked(row: Optional[list[float]]) -> Optional[list[float]]:
        return None if row is None else [row[i] for i in order]

    points = [Point(p.time, [p.q[i] for i in order], picked(p.v), picked(p.a)) for p in trajectory.points]
    return trajectory._replace(names=planned, points=points)


def with_lead_in(motion: Trajectory, start: Optional[list[float]], is_continuous: list[bool]) -> Trajectory:
    """The motion with the controller's motion from the start of the scene, at rest at time 0, to a later first point.

    Refused: a motion that begins elsewhere at time 0, a path that begins elsewhere, and a lead-in that depends on the
    controller: on whether it knows accelerations, or takes a continuous joint the shorter way round.
    """
    first = motion.points[0]
    if start is None:
        return motion
    if not motion.is_timed or first.time == 0:
        if all(abs(Fraction(a) - Fraction(b)) <= START_TOLERANCE for a, b in zip(first.q, start)):
            return motion
        raise NotProved("the motion does not begin at the start of the scene")
    rest = [0.0] * len(start)
    values = [b - a for a, b in zip(start, first.q)] + (first.v or []) + (first.a or [])
    depends = motion.interpolation is None and first.v is not None and first.a is not None and any(values)
    # Half a turn, rounded down by 3e-8: within that of half a turn, both ways count as possible.
    turned = any(free and abs(Fraction(b) - Fraction(a)) > Fraction(314159262, 10**8) for free, a, b in zip(is_continuous, start, first.q))
    if depends or turned:
        raise NotProved("the motion from the start of the scene to the first point depends on the controller")
    return motion._replace(points=[Point(0.0, start, rest, rest), *motion.points])


#: Joint values on [start, end] as exact polynomials in s.
Course = list[tuple[Fraction, Fraction, list[list[Fraction]]]]


def course_of(motion: Trajectory) -> Course:
    """The segments of a motion; before the first and after the last of them, all joints rest."""
    points = motion.points
    times = [Fraction(i if p.time is None else p.time) for i, p in enumerate(points)]
    segments = [(times[k], times[k + 1], _rows(a, b, motion)) for k, (a, b) in enumerate(zip(points, points[1:]))]
    return segments or [(times[0], times[0], [[Fraction(x)] for x in points[0].q])]


def pieces_of(motion: Trajectory, others: Sequence[Course] = (), end: float = 0.0) -> list[Piece]:
    """The pieces of a motion and of other courses together, from time 0 to the end of the motion, or to a later one, without
    gaps. Variables are numbered in the order of the courses."""
    courses = [course_of(motion), *others]
    last = max(courses[0][-1][1], Fraction(end))
    times = sorted({Fraction(0), last} | {t for course in courses for one in course for t in one[:2] if 0 < t < last})
    if len(times) == 1:
        times *= 2
    pieces, at = [], [0] * len(courses)
    for low, high in zip(times, times[1:]):
        rows: list[list[int]] = []
        for k, course in enumerate(courses):
            while at[k] < len(course) - 1 and course[at[k]][1] <= low:
                at[k] += 1
            rows += [[fixed_fraction(c) for c in row] for row in _part(*course[at[k]], low, high)]
        pieces.append(Piece(low, high, rows))
    return pieces


def _part(start: Fraction, end: Fraction, rows: list[list[Fraction]], low: Fraction, high: Fraction) -> list[list[Fraction]]:
    """The polynomials on a part of a segment, or at rest before or after it."""
    if (low, high) == (start, end):
        return rows
    if high <= start or low >= end:
        return [[row[0] if high <= start else sum(row, Fraction(0))] for row in rows]
    a, b = (low - start) / (end - start), (high - low) / (end - start)
    found = []
    for row in rows:
        part = [Fraction(0)] * len(row)
        for c in reversed(row):  # part = part · (a + b s) + c
            part = [a * x + b * y for x, y in zip(part, [Fraction(0), *part])]
            part[0] += c
        found.append(part)
    return found


def kind_of(a: Point, b: Point, motion: Trajectory) -> str:
    """line, cubic or quintic: by the values that both ends have, and the stated interpolation."""
    if not motion.is_timed or motion.interpolation == "linear" or a.v is None or b.v is None:
        return "linear"
    return "cubic" if motion.interpolation == "cubic" or a.a is None or b.a is None else "quintic"


def _rows(a: Point, b: Point, motion: Trajectory) -> list[list[Fraction]]:
    T = Fraction(1) if a.time is None or b.time is None else Fraction(b.time) - Fraction(a.time)
    kind = kind_of(a, b, motion)
    rows = []
    for j, (q0, q1) in enumerate(zip(a.q, b.q)):
        p, D = Fraction(q0), Fraction(q1) - Fraction(q0)
        row = [p, D]
        if kind != "linear":
            assert a.v is not None and b.v is not None
            v, w = T * Fraction(a.v[j]), T * Fraction(b.v[j])
            row = [p, v, 3 * D - 2 * v - w, v + w - 2 * D]
            if kind == "quintic":
                assert a.a is not None and b.a is not None
                x, y = T * T * Fraction(a.a[j]), T * T * Fraction(b.a[j])
                row = [p, v, x / 2, 10 * D - 6 * v - 4 * w - (3 * x - y) / 2, -15 * D + 8 * v + 7 * w + 3 * x / 2 - y]
                row.append(6 * D - 3 * v - 3 * w - (x - y) / 2)
        rows.append(row)
    return rows


def parameters(piece: Piece, start: Fraction, end: Fraction) -> tuple[int, int]:
    """The interval of s, rounded outward, in which the times of [start, end] lie; both times are in the piece."""
    T = piece.end - piece.start
    if T == 0:
        return 0, 0
    low = fixed_fraction((start - piece.start) / T)
    high = -fixed_fraction(-(end - piece.start) / T)
    return max(0, low), min(ONE, high)


class Rates(NamedTuple):
    """Of one joint variable at the middle m of an interval [m - h, m + h] of s, in units; per unit of s.

    `value` is off by at most RATE_ERROR units, `velocity` by at most DERIVATIVE_ERROR; `speed` and `change` bound |q'| and
    |q''| from above over the whole interval, by the Taylor series about m, which is finite.
    """

    value: int
    velocity: int
    speed: int
    change: int


#: Errors of the value of a polynomial, units: six coefficients, each step of Horner's rule less than 2.
RATE_ERROR = 12
#: Errors of derivatives: coefficients are multiplied by at most 5 · 4 · 3 · 2 · 1 = 120 before they are added.
DERIVATIVE_ERROR = 120 * RATE_ERROR


def rates_at(row: list[int], m: int, h: int) -> Rates:
    """See `Rates`. All derivatives at m are computed by Horner's rule from the rounded coefficients."""
    value = _horner(row, m)
    derivatives = []
    at = row
    while len(at) > 1:
        at = [n * c for n, c in enumerate(at)][1:]
        derivatives.append(_horner(at, m))
    if not derivatives:
        return Rates(value, 0, 0, 0)
    # |q'(m + t)| <= |q'| + h |q''| + h^2/2 |q'''| + …, from the highest derivative down
    speed, change = 0, 0
    for n in range(len(derivatives) - 1, -1, -1):
        size = abs(derivatives[n]) + DERIVATIVE_ERROR
        speed = size + (h * speed >> PLACES) // (n + 1) + 2
        if n >= 1:
            change = size + (h * change >> PLACES) // n + 2
    return Rates(value, derivatives[0], speed, change)


def _horner(row: list[int], s: int) -> int:
    total = 0
    for c in reversed(row):
        total = (total * s >> PLACES) + c
    return total
