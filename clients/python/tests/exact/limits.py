"""Random path constraints around a sampled motion, and whether a state satisfies them, in floating point: an oracle."""

from __future__ import annotations

import math

from .worlds import apply, chain, link_poses, position, rotation

KINDS = ["tilt", "orientation", "region", "region", "region", "speed", "joint"]
REGIONS = ["box", "sphere", "cylinder", "capsule", "cone", "frustum", "ellipsoid", "halfspace", "convex"]


def norm(v):
    return math.sqrt(sum(x * x for x in v))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def transposed(R):
    return [list(column) for column in zip(*R)]


def angle_between(a, b):
    cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return math.atan2(norm(cross), dot(a, b))


def rotation_vector(R):
    """By the trace and the skew part; near half a turn by the symmetric part, whose sign does not matter for components."""
    skew = [(R[2][1] - R[1][2]) / 2, (R[0][2] - R[2][0]) / 2, (R[1][0] - R[0][1]) / 2]
    cosine = (R[0][0] + R[1][1] + R[2][2] - 1) / 2
    angle = math.atan2(norm(skew), cosine)
    if norm(skew) > 1e-4:
        return [x / norm(skew) * angle for x in skew]
    if cosine > 0:
        return skew
    return [math.sqrt(max(0.0, (R[i][i] + 1) / 2)) * angle for i in range(3)]


class Sampler:
    """States of the frame of a constraint along a motion."""

    def __init__(self, joints, base, names, motion, frame):
        self.joints, self.names, self.motion = joints, names, motion
        self.base = (rotation(base["rpy"]), base["xyz"])
        self.link, self.at = frame["link"], (rotation(frame["rpy"]), frame["xyz"])
        points = motion["points"]
        self.is_timed = "time_from_start" in points[0]
        self.times = [p.get("time_from_start", float(i)) for i, p in enumerate(points)]

    def values(self, t):
        return dict(zip(self.names, position(self.motion["points"], t)))

    def frame(self, t):
        return chain(link_poses(self.joints, self.base, self.values(t))[self.link], self.at)

    def speed(self, t):
        """By central differences, within one segment."""
        k = max(i for i in range(len(self.times) - 1) if self.times[i] <= t)
        step = 1e-5 * (self.times[k + 1] - self.times[k])
        low, high = max(self.times[k], t - step), min(self.times[k + 1] - 1e-12, t + step)
        a, b = self.frame(low)[1], self.frame(high)[1]
        return norm([x - y for x, y in zip(a, b)]) / (high - low)


def needed(constraint, sampler, t):
    """How much of each limit a state takes: at most the limit if it is satisfied. Of a region, its scale."""
    kind = constraint["type"]
    if kind == "joint":
        value = sampler.values(t)[constraint["joint"]]
        return [-value, value]
    if kind == "speed":
        return [sampler.speed(t)]
    R, p = sampler.frame(t)
    if kind == "tilt":
        return [angle_between(apply(R, constraint["axis"]), constraint["towards"])]
    if kind == "orientation":
        Q = transposed(rotation(constraint["rpy"]))
        return [abs(x) for x in rotation_vector(transposed([apply(Q, column) for column in transposed(R)]))]
    pose = constraint["pose"]
    return [gauge(constraint["shape"]["type"], apply(transposed(rotation(pose["rpy"])), [a - b for a, b in zip(p, pose["xyz"])]))]


def gauge(kind, p):
    """The least scale of `shape_of` that contains a point."""
    x, y, z = p
    rho = math.hypot(x, y)
    if kind == "box":
        return max(abs(x), abs(y) / 2, abs(z) / 1.5)
    if kind == "sphere":
        return norm(p)
    if kind == "cylinder":
        return max(rho, abs(z) / 2)
    if kind == "capsule":  # |p - s (0, 0, ±1)| = s: the cap beyond the length, or the side
        return rho if abs(z) <= rho else (rho * rho + z * z) / (2 * abs(z))
    if kind in ("cone", "frustum"):
        top = 0 if kind == "cone" else 1
        return max(abs(z) / 2, (rho - z * (top - 2) / 4) / ((top + 2) / 2))
    if kind == "ellipsoid":
        return norm([x, y / 2, z / 1.5])
    if kind == "halfspace":
        return 10 + (x + 2 * y + z) / math.sqrt(6)
    return abs(x) + abs(y) + abs(z) / 2


def shape_of(kind, s):
    if kind == "box":
        return {"type": kind, "size": [2 * s, 4 * s, 3 * s]}
    if kind == "sphere":
        return {"type": kind, "radius": s * 0.75, "margin": s * 0.25}
    if kind == "cylinder":
        return {"type": kind, "radius": s, "length": 4 * s}
    if kind == "capsule":
        return {"type": kind, "radius": s, "length": 2 * s}
    if kind == "cone":
        return {"type": kind, "radius": 2 * s, "length": 4 * s}
    if kind == "frustum":
        return {"type": kind, "radiusBottom": 2 * s, "radiusTop": s, "length": 4 * s}
    if kind == "ellipsoid":
        return {"type": kind, "radii": [s, 2 * s, 1.5 * s]}
    if kind == "halfspace":
        return {"type": kind, "normal": [1.0, 2.0, 1.0], "margin": max(0.0, s - 10)}
    return {"type": kind, "points": [[s, 0, 0], [-s, 0, 0], [0, s, 0], [0, -s, 0], [0, 0, 2 * s], [0, 0, -2 * s], [s / 2, s / 2, 0]]}


def random_constraint(r, links, joints, base, names, motion):
    """A constraint without its limits, and the sampler of its frame."""
    frame = {"link": r.choice(links)[0], "xyz": [r.uniform(-0.3, 0.3) for _ in range(3)], "rpy": [r.uniform(-3, 3) for _ in range(3)]}
    sampler = Sampler(joints, base, names, motion, frame)
    kind = r.choice(KINDS if sampler.is_timed else [kind for kind in KINDS if kind != "speed"])
    if kind == "joint":
        return {"type": kind, "joint": r.choice(names)}, sampler
    constraint = {"type": kind, "frame": frame}
    middle = sampler.frame((sampler.times[0] + sampler.times[-1]) / 2)
    if kind == "tilt":
        direction = [r.gauss(0, 1) for _ in range(3)]
        direction = [x / norm(direction) for x in direction]
        towards = apply(middle[0], direction) if r.random() < 0.7 else [r.gauss(0, 1) for _ in range(3)]
        return {**constraint, "axis": direction, "towards": [x / norm(towards) for x in towards]}, sampler
    if kind == "orientation":
        return {**constraint, "rpy": [r.uniform(-3, 3) for _ in range(3)]}, sampler
    if kind == "region":
        pose = {"xyz": [x + r.uniform(-0.1, 0.1) for x in middle[1]], "rpy": [r.uniform(-3, 3) for _ in range(3)]}
        return {**constraint, "shape": {"type": r.choice(REGIONS)}, "pose": pose}, sampler
    return constraint, sampler


def limited(constraint, limits):
    """The constraint with limits as `needed` states them."""
    kind = constraint["type"]
    if kind == "joint":
        return {**constraint, "range": [-limits[0], limits[1]]}
    if kind == "speed":
        return {**constraint, "most": max(limits[0], 1e-6)}
    if kind == "tilt":
        return {**constraint, "within": min(max(limits[0], 1e-6), math.pi)}
    if kind == "orientation":
        return {**constraint, "within": [min(max(x, 1e-6), math.pi) for x in limits]}
    return {**constraint, "shape": shape_of(constraint["shape"]["type"], max(limits[0], 1e-6))}


def most_needed(constraint, times, sampler):
    """The greatest value of each limit at these times; how large a change of it is, compared with its size."""
    most = [max(column) for column in zip(*(needed(constraint, sampler, t) for t in times))]
    return most, most[0] + most[1] if constraint["type"] == "joint" else max(map(abs, most))


def random_limits(r, links, joints, base, names, motion, share):
    """A constraint whose limits are a share of their size beyond what the samples of the motion need, or None if the motion
    needs nearly nothing of it. A negative share: violated at a sample."""
    constraint, sampler = random_constraint(r, links, joints, base, names, motion)
    pairs = zip(sampler.times, sampler.times[1:])
    most, size = most_needed(constraint, [a + (b - a) * i / 41 for a, b in pairs for i in range(41)], sampler)
    least = 10.1 if constraint.get("shape", {}).get("type") == "halfspace" else 1e-2
    return None if size < least else limited(constraint, [x + share * (size - least + 1e-2) for x in most])
