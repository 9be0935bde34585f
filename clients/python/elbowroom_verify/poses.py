"""Rigid motions as fixed-point numbers with proved errors.

`Pose.r`: rows of the rotation; `Pose.p`: the position, metres. `Pose.turn` bounds the Frobenius norm of the error of the
rotation, `Pose.shift` the length of the error of the position, both in units.
"""

from __future__ import annotations

from typing import NamedTuple, Sequence

from . import fields
from .arithmetic import ONE, PLACES, TRIGONOMETRY_ERROR, fixed, metres_up, sin_cos

Vector = tuple[int, int, int]


class Pose(NamedTuple):
    r: tuple[int, int, int, int, int, int, int, int, int]
    p: Vector
    turn: int
    shift: int


IDENTITY = Pose((ONE, 0, 0, 0, ONE, 0, 0, 0, ONE), (0, 0, 0), 0, 0)


def compose(a: Pose, b: Pose) -> Pose:
    """The motion b, then a.

    With Â = A + dA: |Â B̂ - A B| <= |dA| |B̂| + |A| |dB| and |A| = 1, |B̂| <= 1 + |dB|; rounding adds less than 1 unit to
    each of nine entries (3 in the Frobenius norm). Position: |Â p̂ - A p| <= |dA| |p̂| + |dp|, and the rounding of three
    coordinates, less than 2.
    """
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = a.r
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = b.r
    x, y, z = b.p
    u, v, w = a.p
    length = metres_up(abs(x) + abs(y) + abs(z))
    return Pose(
        (
            a0 * b0 + a1 * b3 + a2 * b6 >> PLACES, a0 * b1 + a1 * b4 + a2 * b7 >> PLACES, a0 * b2 + a1 * b5 + a2 * b8 >> PLACES,
            a3 * b0 + a4 * b3 + a5 * b6 >> PLACES, a3 * b1 + a4 * b4 + a5 * b7 >> PLACES, a3 * b2 + a4 * b5 + a5 * b8 >> PLACES,
            a6 * b0 + a7 * b3 + a8 * b6 >> PLACES, a6 * b1 + a7 * b4 + a8 * b7 >> PLACES, a6 * b2 + a7 * b5 + a8 * b8 >> PLACES,
        ),
        (
            u + (a0 * x + a1 * y + a2 * z >> PLACES), v + (a3 * x + a4 * y + a5 * z >> PLACES), w + (a6 * x + a7 * y + a8 * z >> PLACES),
        ),
        a.turn + b.turn + 4,
        a.turn * length + a.shift + b.shift + 2,
    )


def inverse(a: Pose) -> Pose:
    """The motion back: R^T and -R^T p; errors as those of `compose`."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8 = a.r
    turned = Pose((a0, a3, a6, a1, a4, a7, a2, a5, a8), (0, 0, 0), a.turn, 0)
    x, y, z = a.p
    back = compose(turned, Pose(IDENTITY.r, (-x, -y, -z), 0, a.shift))
    return Pose(turned.r, back.p, a.turn, back.shift)


def rotate(a: Pose, v: Vector) -> Vector:
    """R v, each coordinate rounded by less than 1 unit."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = a.r
    x, y, z = v
    return (r0 * x + r1 * y + r2 * z) >> PLACES, (r3 * x + r4 * y + r5 * z) >> PLACES, (r6 * x + r7 * y + r8 * z) >> PLACES


def rotate_back(a: Pose, v: Vector) -> Vector:
    """R^T v, each coordinate rounded by less than 1 unit."""
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = a.r
    x, y, z = v
    return (r0 * x + r3 * y + r6 * z) >> PLACES, (r1 * x + r4 * y + r7 * z) >> PLACES, (r2 * x + r5 * y + r8 * z) >> PLACES


def translation(xyz: tuple[float, float, float]) -> Pose:
    """A position without rotation: three coordinates rounded by less than 1 unit."""
    x, y, z = xyz
    return Pose(IDENTITY.r, (fixed(x), fixed(y), fixed(z)), 0, 2)


#: Of rotations that quaternions state, and of their product with others; units.
QUATERNION_TURN = 512


def quaternion_of_rpy(rpy: fields.Triple) -> tuple[int, ...]:
    """Rotations about the fixed axes x, y, z by roll, pitch, yaw, Rz Ry Rx, as a unit quaternion (w, x, y, z).

    Half an angle is off by less than 2 units, its sine and cosine by 5, a product of two by 11, of three by 17, and a sum of
    two such products by 34: less than 40.
    """
    (sr, cr), (sp, cp), (sy, cy) = (sin_cos(fixed(angle) >> 1) for angle in rpy)

    def product(a: int, b: int, c: int) -> int:
        return (a * b >> PLACES) * c >> PLACES

    w, x = product(cr, cp, cy) + product(sr, sp, sy), product(sr, cp, cy) - product(cr, sp, sy)
    y, z = product(cr, sp, cy) + product(sr, cp, sy), product(cr, cp, sy) - product(sr, sp, cy)
    return w, x, y, z


def from_quaternion(xyz: fields.Triple, wxyz: Sequence[int]) -> Pose:
    """The rotation of a quaternion divided by its length: a rational matrix, its nine entries rounded by less than 1 (3 in
    the Frobenius norm). The quaternion is off by less than 80 (four times 40), divided by its length by 160; a rotation
    changes by at most 2 sqrt(2) times as much: 3 + 453 < QUATERNION_TURN.
    """
    w, x, y, z = wxyz
    square = w * w + x * x + y * y + z * z

    def entry(numerator: int) -> int:
        return (numerator << PLACES) // square

    r = (
        entry(w * w + x * x - y * y - z * z), entry(2 * (x * y - w * z)), entry(2 * (x * z + w * y)),
        entry(2 * (x * y + w * z)), entry(w * w - x * x + y * y - z * z), entry(2 * (y * z - w * x)),
        entry(2 * (x * z - w * y)), entry(2 * (y * z + w * x)), entry(w * w - x * x - y * y + z * z),
    )  # fmt: skip
    return Pose(r, translation(xyz).p, QUATERNION_TURN, 2)


#: Error of each coordinate of a unit vector, and of its length, units.
AXIS_ERROR = 2
AXIS_LENGTH_ERROR = 4


def about_axis(axis: Vector, angle: int, angle_error: int) -> Pose:
    """The rotation by an angle about a unit vector: c I + s [z]x + (1 - c) z z^T (Rodrigues).

    Each entry is off by at most 2 (2·2 + 1) + (e + 1) + (e + 2 + 1) < 5·2 + 2 e + 8 units, with e the error of sine and
    cosine, which are 1-Lipschitz in the angle; nine entries: three times that in the Frobenius norm.
    """
    x, y, z = axis
    s, c = sin_cos(angle)
    d = ONE - c
    dx, dy, dz = (d * x) >> PLACES, (d * y) >> PLACES, (d * z) >> PLACES
    sx, sy, sz = (s * x) >> PLACES, (s * y) >> PLACES, (s * z) >> PLACES
    xy, xz, yz = (dx * y) >> PLACES, (dx * z) >> PLACES, (dy * z) >> PLACES
    error = angle_error + TRIGONOMETRY_ERROR
    r = (
        c + ((dx * x) >> PLACES), xy - sz, xz + sy,
        xy + sz, c + ((dy * y) >> PLACES), yz - sx,
        xz - sy, yz + sx, c + ((dz * z) >> PLACES),
    )  # fmt: skip
    return Pose(r, (0, 0, 0), 3 * (2 * error + 24), 0)


def along_axis(axis: Vector, value: int, value_error: int) -> Pose:
    """The displacement by a value (metres) along a unit vector."""
    x, y, z = axis
    p = ((x * value) >> PLACES, (y * value) >> PLACES, (z * value) >> PLACES)
    return Pose(IDENTITY.r, p, 0, value_error + AXIS_LENGTH_ERROR * metres_up(abs(value)) + 2)
