"""How part a moves relative to part b (docs/proof.md, "How fast a can move relative to b").

Links that do not move relative to each other are one `anchor`: anchor 0 is the world, the others are the children of the
joints that move. All geometry is stated in the frame of its anchor.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, Optional

from .arithmetic import PLACES, fixed_fraction, metres_up, norm_up, times_up
from .motion import DERIVATIVE_ERROR, RATE_ERROR, Piece, rates_at
from .outcome import NotProved
from .poses import AXIS_LENGTH_ERROR, IDENTITY, Pose, Vector, about_axis, along_axis, compose, rotate
from .moving import AXES, TURN_ERROR
from .robot import Joint, Robot, leader_of, rest_value
from .scene import Scene
from .shapes import Shape


class Anchor(NamedTuple):
    """A joint that moves: value = multiplier · q[variable] + offset. `origin`: its frame in that of the anchor above."""

    above: int
    origin: Pose
    is_prismatic: bool
    axis: Vector
    variable: int
    multiplier: Fraction
    offset: Fraction


class Placed(NamedTuple):
    """A convex part in the frame of its anchor; planes against it are stated in `frame`."""

    name: str
    index: int
    anchor: int
    shape: Shape
    at: Pose
    frame: Pose
    center: Vector
    is_link: bool


class Arm:
    """The tree of anchors of a robot, and the pose of each link in its anchor."""

    def __init__(self, scene: Scene) -> None:
        self.anchors: list[Anchor] = [Anchor(-1, IDENTITY, False, (0, 0, 0), -1, Fraction(0), Fraction(0))]
        self.links = self._grown(scene.robot, scene.base, {name: k for k, name in enumerate(scene.planned)}, scene.fixed)
        #: Links of other robots by their names in the scene, and moving obstacles: anchors, and poses in them.
        self.others: dict[str, tuple[int, Pose]] = {}
        count = len(scene.planned)
        for other in scene.others:
            variables = {name: count + k for k, name in enumerate(other.planned)} if other.course else {}
            links = self._grown(other.robot, other.base, variables, other.fixed)
            self.others.update({f"{other.name}/{name}": at for name, at in links.items()})
            count += len(variables)
        for body in scene.obstacles:
            if body.motion is not None:
                above, axes = 0, [(True, axis) for axis in AXES] + [(False, axis) for _, axis, _ in body.motion.turns]
                for k, (is_prismatic, axis) in enumerate(axes):
                    origin = body.pose if k == 3 else Pose(IDENTITY.r, (0, 0, 0), TURN_ERROR * (k > 3), 0)
                    self.anchors.append(Anchor(above, origin, is_prismatic, axis, count + k, Fraction(1), Fraction(0)))
                    above = len(self.anchors) - 1
                self.others[body.name] = above, body.pose if len(axes) == 3 else Pose(IDENTITY.r, (0, 0, 0), TURN_ERROR, 0)
                count += len(axes)

    def _grown(self, robot: Robot, base: Pose, variables: dict[str, int], fixed: dict[str, float]) -> dict[str, tuple[int, Pose]]:
        """The links of a robot in their anchors, which are added."""
        links: dict[str, tuple[int, Pose]] = {robot.root: (0, base)}
        below: dict[str, list[Joint]] = {}
        for joint in robot.joints:
            below.setdefault(joint.parent, []).append(joint)
        waiting = [robot.root]
        while waiting:
            for joint in below.get(waiting.pop(), []):
                waiting.append(joint.child)
                above, at = links[joint.parent]
                origin = compose(at, joint.origin)
                if joint.kind == "fixed":
                    links[joint.child] = above, origin
                    continue
                leader, factor, offset = leader_of(robot, joint)
                prismatic = joint.kind == "prismatic"
                if leader in variables:
                    self.anchors.append(Anchor(above, origin, prismatic, joint.axis, variables[leader], factor, offset))
                    links[joint.child] = len(self.anchors) - 1, IDENTITY
                    continue
                led = next(one for one in robot.joints if one.name == leader)
                kept = Fraction(fixed.get(leader, rest_value(led))) * factor + offset
                links[joint.child] = above, compose(origin, _moved(prismatic, joint.axis, fixed_fraction(kept), 1))
        return links

    def above(self, anchor: int) -> list[int]:
        """The anchors from one up to the world, both excluded … included: the world is not listed."""
        found = []
        while anchor > 0:
            found.append(anchor)
            anchor = self.anchors[anchor].above
        return found

    def passages(self, a: int, b: int) -> list[tuple[int, int]]:
        """Joints between a and b in the order from a to b, each with its sign: 1 on a's branch, -1 on b's."""
        of_a, of_b = self.above(a), self.above(b)
        up = [(i, 1) for i in of_a if i not in of_b]
        down = [(i, -1) for i in of_b if i not in of_a]
        return up + down[::-1]


def _moved(prismatic: bool, axis: Vector, value: int, error: int) -> Pose:
    return along_axis(axis, value, error) if prismatic else about_axis(axis, value, error)


class Twist(NamedTuple):
    """Motion of a relative to b about the middle: angular velocity, velocity of the center of a, in the world; upper
    bounds on the acceleration of all points of a (units) and on the sum of h w_k (a whole number, at least 1)."""

    center: Vector
    omega: Vector
    velocity: Vector
    acceleration: int
    travel: int


class Instant:
    """Poses of all anchors at the middle of an interval of a piece, rates over the interval, and bounds on all errors."""

    def __init__(self, arm: Arm, piece: Piece, low: int, high: int, size: "Sizes") -> None:
        self.arm = arm
        self.piece = piece
        self.middle = middle = (low + high) >> 1
        self.h = h = max(high - middle, middle - low)
        rates = [rates_at(row, middle, h) for row in piece.coefficients]
        self.poses: list[Pose] = [IDENTITY]
        #: Of each anchor: axis and origin in the world, velocity, upper bounds on |velocity| and |acceleration|.
        self.axes: list[tuple[Vector, Vector, int, int, int]] = [((0, 0, 0), (0, 0, 0), 0, 0, 0)]
        rate_error = 0
        for anchor in arm.anchors[1:]:
            rate = rates[anchor.variable]
            m = fixed_fraction(anchor.multiplier)
            size_of_m = abs(m) + 1
            value = (m * rate.value >> PLACES) + fixed_fraction(anchor.offset)
            error = RATE_ERROR * metres_up(size_of_m) + metres_up(abs(rate.value)) + 3
            moved = _moved(anchor.is_prismatic, anchor.axis, value, error)
            pose = compose(compose(self.poses[anchor.above], anchor.origin), moved)
            self.poses.append(pose)
            velocity = m * rate.velocity >> PLACES
            rate_error += DERIVATIVE_ERROR * metres_up(size_of_m) + metres_up(abs(rate.velocity)) + 2
            bounds = times_up(size_of_m, rate.speed), times_up(size_of_m, rate.change)
            self.axes.append((rotate(pose, anchor.axis), pose.p, velocity, *bounds))
        # Distances of all points that are used from each other, in the world and in the frame of an anchor; metres.
        farthest = max(sum(map(abs, pose.p)) for pose in self.poses)
        self.distance = 2 * (metres_up(farthest) + size.reach) + 1
        #: Bounds on the errors of rotations, axes and rates (`turn`) and of positions (`shift`), units; see `error`.
        turn = max(pose.turn for pose in self.poses)
        self.turn = 2 * turn + 3 * size.turn + AXIS_LENGTH_ERROR + rate_error + 16
        self.shift = 2 * max(pose.shift for pose in self.poses) + 2 * size.shift
        self.of_distance = 3 * (self.turn * self.distance + self.shift + 8)
        self._twists: dict[tuple[int, int], Twist] = {}

    def error(self, travel: int) -> int:
        """A bound on all errors of a gap, units.

        With E = turn, D = distance, F = shift, W = travel (all joints together turn and slide by less than W within the
        interval), |n| <= 2: the errors are those of n in the world, at most 2 E; of the height of b,
        6 E D + 2 F + 7; of n · (origin of b - center of a), 4 E D + 2 F + 12; of the directions of the supports of a,
        (8 E + 12)(1 + W), times D; and of h n · V, 6 E D (1 + W) + 2 F (1 + W). Their sum is less than this.
        """
        return 64 * (self.turn * self.distance + self.shift + 8) * (travel + 1)

    def twist(self, a: Placed, b_anchor: int) -> Twist:
        """Equations (2) and (3) of docs/proof.md, joint by joint from a to b: with d the greatest distance of a point of a
        from the axis of joint k over the interval (1 if it is prismatic), and S the sum of d w of the joints beyond k,
            S += d w      A += d change + [revolute] w (2 S + d w).
        The joints beyond k move points of a by at most h S until the ends of the interval.
        """
        key = (id(a), b_anchor)
        known = self._twists.get(key)
        if known is not None:
            return known
        h = self.h
        cx, cy, cz = rotate(self.poses[a.anchor], a.center)
        px, py, pz = self.poses[a.anchor].p
        cx, cy, cz = cx + px, cy + py, cz + pz
        ox, oy, oz, vx, vy, vz = 0, 0, 0, 0, 0, 0
        S, A, W = 0, 0, 0
        for i, sign in self.arm.passages(a.anchor, b_anchor):
            (zx, zy, zz), (jx, jy, jz), velocity, speed, change = self.axes[i]
            velocity *= sign
            W += times_up(h, speed)
            if self.arm.anchors[i].is_prismatic:
                vx, vy, vz = (v + (z * velocity >> PLACES) for v, z in ((vx, zx), (vy, zy), (vz, zz)))
                A += change
                S += speed
                continue
            rx, ry, rz = cx - jx, cy - jy, cz - jz
            sx, sy, sz = (zy * rz - zz * ry) >> PLACES, (zz * rx - zx * rz) >> PLACES, (zx * ry - zy * rx) >> PLACES
            ox, oy, oz = ox + (zx * velocity >> PLACES), oy + (zy * velocity >> PLACES), oz + (zz * velocity >> PLACES)
            vx, vy, vz = vx + (sx * velocity >> PLACES), vy + (sy * velocity >> PLACES), vz + (sz * velocity >> PLACES)
            d = norm_up(sx, sy, sz) + a.shape.radius + times_up(S, h) + self.of_distance
            dw = times_up(d, speed)
            A += times_up(d, change) + times_up(speed, 2 * S + dw)
            S += dw
        found = Twist((cx, cy, cz), (ox, oy, oz), (vx, vy, vz), A, metres_up(W))
        self._twists[key] = found
        return found


class Sizes(NamedTuple):
    """Of all parts: bounds on the distance of their points from the origin of their anchor (whole metres), and on the
    errors of their poses (units)."""

    reach: int
    turn: int
    shift: int


def sizes_of(arm: Arm, parts: list[Placed]) -> Sizes:
    reach = max((metres_up(sum(map(abs, p.center))) + metres_up(sum(map(abs, p.at.p))) + p.shape.reach for p in parts), default=1)
    poses = [pose for part in parts for pose in (part.at, part.frame)]
    return Sizes(reach + 1, max((pose.turn for pose in poses), default=0), max((pose.shift for pose in poses), default=0))


def placed(name: str, index: int, anchor: int, shape: Shape, at: Pose, frame: Pose, is_link: bool) -> Placed:
    x, y, z = rotate(at, shape.center)
    center = (at.p[0] + x, at.p[1] + y, at.p[2] + z)
    return Placed(name, index, anchor, shape, at, frame, center, is_link)


def at_time(arm: Arm, pieces: list[Piece], time: Fraction, sizes: Optional[Sizes] = None) -> list[Pose]:
    """Poses of all anchors at one time of the motion."""
    for piece in pieces:
        if piece.start <= time <= piece.end:
            T = piece.end - piece.start
            s = 0 if T == 0 else fixed_fraction((time - piece.start) / T)
            return _poses_at(arm, piece, s, sizes or Sizes(1, 0, 0))
    raise NotProved(f"the motion has no state at t = {float(time)}")


def _poses_at(arm: Arm, piece: Piece, s: int, sizes: Sizes) -> list[Pose]:
    """The time is in the interval of one unit that begins at s: the poses at both ends of it differ by less than the rates,
    which are added to the errors."""
    instant = Instant(arm, piece, s, s + 1, sizes)
    moved = sum(speed for _, _, _, speed, _ in instant.axes) >> PLACES
    return [Pose(one.r, one.p, one.turn + 2 * (moved + 1), one.shift + (moved + 1) * instant.distance) for one in instant.poses]

