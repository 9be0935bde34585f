"""Obstacles that follow stated poses: positions are linear between two of them, and the orientation turns about a fixed axis
at a constant rate (docs/moving.md). They are chains of joints: x, y, z, then one revolute joint for each turn, in the frame
of the obstacle."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple, Optional, Sequence

from . import fields
from .arithmetic import ONE, PLACES, fixed, norm_up, sin_cos, unit
from .motion import MAX_TIME, Course
from .outcome import BadInput, OutsideScope
from .poses import Pose, Vector, from_quaternion
from .robot import stated_pose

AXES: list[Vector] = [(ONE, 0, 0), (0, ONE, 0), (0, 0, ONE)]
#: Bounds the errors of axes and angles of turns, and those of the rotations by them, units.
TURN_ERROR = 1 << 30
#: Turns by less than twice this angle are outside the scope: their axis is not known well enough.
LEAST_TURN = ONE >> 20


class Motion(NamedTuple):
    #: Exact values of x, y, z and of the angle of each turn.
    course: Course
    #: (k, axis, angle): between the poses k and k + 1; the axis is that of the frame of the obstacle.
    turns: list[tuple[int, Vector, int]]
    #: Time after which it rests, time of the last pose, and that pose.
    rests_from: float
    end: float
    last: Pose


def read_motion(given: Any, place: str) -> tuple[Motion, Pose]:
    """The motion, and the first orientation."""
    data = fields.record(given, place)
    fields.known_keys(data, ("times", "poses"), place)
    stated = [stated_pose(one, f"{place}.poses[{i}]") for i, one in enumerate(fields.items(data.get("poses"), f"{place}.poses"))]
    times = fields.numbers(data.get("times"), len(stated), f"{place}.times", MAX_TIME)
    if not times or any(not a < b for a, b in zip(times, times[1:])):
        raise BadInput(f"{place}.times: they must increase, one for each pose")
    turns = []
    for k, ((_, a), (_, b)) in enumerate(zip(stated, stated[1:])):
        turn = _turn(a, b, f"{place}.poses[{k + 1}]")
        if turn is not None:
            turns.append((k, *turn))
    course: Course = []
    for k, ((p, _), (q, _)) in enumerate(zip(stated, stated[1:])):
        rows = [[Fraction(x), Fraction(y) - Fraction(x)] for x, y in zip(p, q)]
        rows += [[Fraction(angle if at < k else 0, ONE), Fraction(angle if at == k else 0, ONE)] for at, _, angle in turns]
        course.append((Fraction(times[k]), Fraction(times[k + 1]), rows))
    rests = max((k + 1 for k, (a, b) in enumerate(zip(stated, stated[1:])) if a != b), default=0)
    at_rest = [(Fraction(times[0]), Fraction(times[0]), [[Fraction(x)] for x in stated[0][0]])]
    last = from_quaternion(*stated[-1])
    return Motion(course or at_rest, turns, times[rests], times[-1], last), from_quaternion((0.0, 0.0, 0.0), stated[0][1])


def _turn(a: Sequence[int], b: Sequence[int], place: str) -> Optional[tuple[Vector, int]]:
    """Axis and angle of the shorter rotation from a to b; None if they are equal. With (w, v) the quaternion a* b, w >= 0: the
    angle is 2 atan2(|v|, w).

    The parts of (w, v) are off by at most 4 (40 + 40) / 2 + 4 < 2^8 units, v by less than 2^9, so the axis by less than
    2^9 / 2^-20 = 2^29 units. Half the angle, f, is proposed in floating point; |v| cos f - w sin f is the sine of its error,
    which is so small that it is its own sine; all in all it is off by less than 2^9 units, the angle by less than 2^10.
    """
    (p, q, r, s), (t, u, v, w) = a, b
    real = p * t + q * u + r * v + s * w >> PLACES
    x, y, z = (p * u - q * t - r * w + s * v, p * v + q * w - r * t - s * u, p * w - q * v + r * u - s * t)
    if real < 0:
        real, x, y, z = -real, -x, -y, -z
    x, y, z = x >> PLACES, y >> PLACES, z >> PLACES
    length = norm_up(x, y, z)
    if a == b:
        return None
    if real < fixed(1e-6):
        raise BadInput(f"{place}: its orientation is half a turn from the one before")
    if length < LEAST_TURN:
        raise OutsideScope(f"{place}: a turn by less than 2e-6 rad")
    half = fixed(math.atan2(length, real))
    sine, cosine = sin_cos(half)
    rest = length * cosine - real * sine >> PLACES
    if abs(rest) > ONE >> 40:
        raise ArithmeticError("an arc tangent of this computer is wrong")
    axis_x, axis_y, axis_z = unit((x, y, z))
    return (axis_x, axis_y, axis_z), 2 * (half + rest)
