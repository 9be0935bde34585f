"""Random motions of obstacles and other robots, and the pose of an obstacle over time in floating point: an oracle."""

from __future__ import annotations

import hashlib
import json
import math

from .limits import rotation_vector, transposed
from .worlds import about, independent, random_motion, random_robot, robot_text, rotation, times


def _product(a, b):
    (p, q, r, s), (t, u, v, w) = a, b
    return [p * t - q * u - r * v - s * w, p * u + q * t + r * w - s * v, p * v - q * w + r * t + s * u, p * w + q * v - r * u + s * t]


def random_motion_of_obstacle(r, center, reach):
    """One to four poses, also before time 0; turns by at most 2.8 rad, about another axis each, about one, or none."""
    count, kind = r.choice([1, 2, 2, 3, 4]), r.choice(["none", "z", "any", "any"])
    start = r.choice([0.0, 0.0, -1.3, 0.4])
    stamps = [start]
    while len(stamps) < count:
        stamps.append(stamps[-1] + r.choice([0.2, 1.0, 2.2]))
    q, angle, poses = [r.gauss(0, 1) for _ in range(4)], r.uniform(-3, 3), []
    for k in range(count):
        xyz = poses[-1]["xyz"] if poses and r.random() < 0.2 else [c + r.uniform(-reach, reach) for c in center]
        if kind == "z":
            angle += r.uniform(-2.8, 2.8) if r.random() < 0.8 else 0.0
            poses.append({"xyz": xyz, "rpy": [0.0, 0.0, angle]})
            continue
        if kind == "any" and k > 0 and r.random() < 0.8:
            axis, half = [r.gauss(0, 1) for _ in range(3)], r.uniform(-1.4, 1.4)
            size = math.sqrt(sum(x * x for x in axis))
            q = _product(q, [math.cos(half), *(math.sin(half) * x / size for x in axis)])
        size = math.sqrt(sum(x * x for x in q))
        poses.append({"xyz": xyz, "quat_wxyz": [x / size for x in q]})
    return {"times": stamps, "poses": poses}


def _matrix(pose):
    if "rpy" in pose:
        return rotation(pose["rpy"])
    w, *v = pose["quat_wxyz"]
    size = math.sqrt(sum(x * x for x in v))
    return about(v if size > 0 else [1, 0, 0], 2 * math.atan2(size, w))


def pose_at(motion, t):
    """Rotation and position of an obstacle: lines, and the rotation vector from one orientation to the next times a factor."""
    stamps, poses = motion["times"], motion["poses"]
    k = max([i for i in range(len(stamps)) if stamps[i] <= t], default=0)
    if t <= stamps[0] or k == len(stamps) - 1:
        return _matrix(poses[k]), poses[k]["xyz"]
    s = (t - stamps[k]) / (stamps[k + 1] - stamps[k])
    R, S = _matrix(poses[k]), _matrix(poses[k + 1])
    turn = rotation_vector(times(transposed(R), S))
    angle = math.sqrt(sum(x * x for x in turn))
    if angle > 0:
        R = times(R, about(turn, s * angle))
    return R, [a + s * (b - a) for a, b in zip(poses[k]["xyz"], poses[k + 1]["xyz"])]


def random_other(r, base):
    """Another robot of a scene, at rest or with a trajectory, and the files that it needs."""
    urdf, (_, joints), meshes = random_robot(r, 0.2)
    pose = {"xyz": [b + r.uniform(-1.5, 1.5) for b in base["xyz"]], "rpy": [r.uniform(-3, 3) for _ in range(3)]}
    other, contents = {"name": "other", "robot": robot_text(urdf, meshes), "pose": pose}, list(meshes.values())
    names = independent(joints)
    motion = random_motion(r, names, 0.5)
    if "time_from_start" not in motion["points"][0]:
        return {**other, "q": motion["points"][0]["positions"]}, contents
    content = json.dumps(motion).encode()
    name = f"{hashlib.sha256(content).hexdigest()}.json"
    return {**other, "trajectory": name, "start_time": r.choice([0.0, 0.3, 1.1])}, [*contents, content]
