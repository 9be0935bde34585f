"""Random robots, scenes and motions for the tests, and heights of parts in floating point: an independent oracle."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import random
import xml.etree.ElementTree as xml
from pathlib import Path


def rotation(rpy):
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(a), math.cos(a)) for a in rpy)
    return [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]


def about(axis, angle):
    length = math.sqrt(sum(x * x for x in axis))
    x, y, z = (a / length for a in axis)
    s, c = math.sin(angle), math.cos(angle)
    return [
        [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
        [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
        [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
    ]


def apply(R, v):
    return [sum(R[i][k] * v[k] for k in range(3)) for i in range(3)]


def times(A, B):
    return [[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def chain(outer, inner):
    (R, p), (S, q) = outer, inner
    return times(R, S), [a + b for a, b in zip(p, apply(R, q))]


SHAPES = {
    "box": lambda r: {"size": [r.uniform(0.02, 0.3) for _ in range(3)]},
    "sphere": lambda r: {"radius": r.uniform(0.02, 0.2)},
    "cylinder": lambda r: {"radius": r.uniform(0.02, 0.2), "length": r.uniform(0.02, 0.4)},
    "capsule": lambda r: {"radius": r.uniform(0.02, 0.1), "length": r.uniform(0.02, 0.4)},
    "cone": lambda r: {"radius": r.uniform(0.02, 0.2), "length": r.uniform(0.02, 0.4)},
    "frustum": lambda r: {"radiusBottom": r.uniform(0, 0.2), "radiusTop": r.uniform(0, 0.2), "length": r.uniform(0.02, 0.4)},
    "ellipsoid": lambda r: {"radii": [r.uniform(0.02, 0.2) for _ in range(3)]},
    "convex": lambda r: {"points": [[r.uniform(-0.2, 0.2) for _ in range(3)] for _ in range(r.choice([4, 12, 90]))]},
}


def surface(shape, r, count):
    """Random points of a shape, in its frame, without the margin."""
    kind, points = shape["type"], []
    if kind == "convex":
        return shape["points"]
    for _ in range(count):
        u = [r.gauss(0, 1) for _ in range(3)]
        size = math.sqrt(sum(x * x for x in u))
        u = [x / size for x in u]
        a = math.atan2(u[1], u[0])
        side = r.choice([-1, 1])
        if kind == "box":
            points.append([r.choice([-1, 1]) * s / 2 for s in shape["size"]])
        elif kind == "sphere":
            points.append([shape["radius"] * x for x in u])
        elif kind == "ellipsoid":
            points.append([s * x for s, x in zip(shape["radii"], u)])
        elif kind == "capsule":
            x, y, z = (shape["radius"] * x for x in u)
            points.append([x, y, z + side * shape["length"] / 2])
        else:
            bottom = shape.get("radiusBottom", shape.get("radius"))
            top = shape.get("radiusTop", 0 if kind == "cone" else shape.get("radius"))
            radius = bottom if side < 0 else top
            points.append([radius * math.cos(a), radius * math.sin(a), side * shape["length"] / 2])
    return points


def random_shape(r, margin=True):
    kind = r.choice(sorted(SHAPES))
    shape = {"type": kind, **SHAPES[kind](r)}
    if margin and r.random() < 0.3:
        shape["margin"] = r.uniform(0, 0.05)
    return shape


def scaled(data, factor):
    """A shape with all lengths times a factor."""
    if isinstance(data, dict):
        return {key: scaled(value, factor) for key, value in data.items()}
    if isinstance(data, list):
        return [scaled(value, factor) for value in data]
    return data * factor if isinstance(data, float) else data


def obj_text(points):
    """A mesh whose triangles use all points, and a vertex far away that none uses."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points] + ["v 99 99 99"]
    lines += [f"f {i + 1} {(i + 1) % len(points) + 1} {(i + 2) % len(points) + 1}" for i in range(len(points))]
    return "\n".join(lines) + "\n"


def random_robot(r, size=1.0):
    """URDF text; (links, joints) as data for the oracle; meshes by address. @param size factor of the lengths of shapes"""
    count = r.randint(2, 6)
    links, joints, lines, meshes = [], [], [], {}
    for i in range(count + 1):
        parts = []
        for k in range(r.choice([0, 1, 1, 1, 2]) if i < count else 1):
            shape = random_shape(r, margin=False)
            while shape["type"] not in ("box", "sphere", "cylinder", "capsule", "convex"):
                shape = random_shape(r, margin=False)
            shape = scaled(shape, size)
            parts.append((shape, [size * r.uniform(-0.2, 0.2) for _ in range(3)], [r.uniform(-3, 3) for _ in range(3)]))
        links.append((f"link{i}", parts))
        body = ""
        for k, (shape, xyz, rpy) in enumerate(parts):
            fields = {key: " ".join(map(repr, v)) if isinstance(v, list) else repr(v) for key, v in shape.items() if key not in ("type", "points")}
            tag = shape["type"]
            if tag == "convex":
                tag, address = "mesh", f"link{i}_{k}.obj"
                meshes[address] = obj_text(shape["points"]).encode()
                fields = {"filename": address}
            attributes = " ".join(f'{key}="{value}"' for key, value in fields.items())
            body += f'<collision><origin xyz="{" ".join(map(repr, xyz))}" rpy="{" ".join(map(repr, rpy))}"/><geometry><{tag} {attributes}/></geometry></collision>'
        lines.append(f'<link name="link{i}">{body}</link>')
    for i in range(1, count + 1):
        kind = r.choice(["revolute", "revolute", "continuous", "prismatic", "fixed"]) if i < count else "revolute"
        mimic = None
        leaders = [j for j in joints if j["kind"] != "fixed" and j["mimic"] is None]
        if kind not in ("fixed",) and leaders and r.random() < 0.2:
            mimic = (r.choice(leaders)["name"], r.uniform(-2, 2), r.uniform(-0.5, 0.5))
        joint = {
            "name": f"joint{i}", "kind": kind, "parent": f"link{r.randrange(max(0, i - 2), i)}", "child": f"link{i}",
            "xyz": [r.uniform(-0.4, 0.4) for _ in range(3)], "rpy": [r.uniform(-3, 3) for _ in range(3)],
            "axis": [r.uniform(-1, 1) for _ in range(3)], "mimic": mimic,
        }  # fmt: skip
        joints.append(joint)
        inner = "" if mimic is None else f'<mimic joint="{mimic[0]}" multiplier="{mimic[1]!r}" offset="{mimic[2]!r}"/>'
        lines.append(
            f'<joint name="{joint["name"]}" type="{kind}"><parent link="{joint["parent"]}"/><child link="{joint["child"]}"/>'
            f'<origin xyz="{" ".join(map(repr, joint["xyz"]))}" rpy="{" ".join(map(repr, joint["rpy"]))}"/>'
            f'<axis xyz="{" ".join(map(repr, joint["axis"]))}"/><limit lower="-50" upper="50" velocity="9" effort="1"/>{inner}</joint>'
        )
    return f'<robot name="random">{"".join(lines)}</robot>', (links, joints), meshes


def link_poses(joints, base, values):
    """Floating-point poses of all links. @param values of the independent joints by name"""
    poses = {"link0": base}
    for joint in joints:
        value = values.get(joint["name"], 0.0)
        if joint["mimic"] is not None:
            leader, factor, offset = joint["mimic"]
            value = factor * values.get(leader, 0.0) + offset
        axis = joint["axis"]
        if joint["kind"] == "prismatic":
            size = math.sqrt(sum(x * x for x in axis))
            moved = (about([1, 0, 0], 0), [value * x / size for x in axis])
        else:
            moved = (about(axis, 0 if joint["kind"] == "fixed" else value), [0, 0, 0])
        at = chain(poses[joint["parent"]], (rotation(joint["rpy"]), joint["xyz"]))
        poses[joint["child"]] = chain(at, moved)
    return poses


def random_motion(r, names, amplitude=2.0):
    kind = r.choice(["path", "linear", "cubic", "quintic"])
    count, points, time = r.randint(2, 4), [], 0.0
    for _ in range(count):
        point = {} if kind == "path" else {"time_from_start": time}
        point["positions"] = [r.uniform(-amplitude, amplitude) for _ in names]
        if kind in ("cubic", "quintic"):
            point["velocities"] = [r.uniform(-amplitude, amplitude) for _ in names]
        if kind == "quintic":
            point["accelerations"] = [r.uniform(-3, 3) for _ in names]
        points.append(point)
        time += r.choice([1e-3, 0.3, 1.0, 2.5])
    return {"joint_names": names, "points": points}


def position(points, t):
    """Joint positions of a motion at t, by blending functions of Hermite, in floating point."""
    times_ = [p.get("time_from_start", i) for i, p in enumerate(points)]
    k = max(i for i in range(len(points) - 1) if times_[i] <= t)
    a, b, T = points[k], points[k + 1], times_[k + 1] - times_[k]
    s = (t - times_[k]) / T
    if "velocities" not in a:
        return [x + s * (y - x) for x, y in zip(a["positions"], b["positions"])]
    if "accelerations" not in a:
        h = (2 * s**3 - 3 * s**2 + 1, s**3 - 2 * s**2 + s, -2 * s**3 + 3 * s**2, s**3 - s**2)
        rows = zip(a["positions"], a["velocities"], b["positions"], b["velocities"])
        return [h[0] * p + h[1] * T * v + h[2] * q + h[3] * T * w for p, v, q, w in rows]
    h = (
        1 - 10 * s**3 + 15 * s**4 - 6 * s**5, s - 6 * s**3 + 8 * s**4 - 3 * s**5, (s**2 - 3 * s**3 + 3 * s**4 - s**5) / 2,
        10 * s**3 - 15 * s**4 + 6 * s**5, -4 * s**3 + 7 * s**4 - 3 * s**5, (s**3 - 2 * s**4 + s**5) / 2,
    )  # fmt: skip
    rows = zip(a["positions"], a["velocities"], a["accelerations"], b["positions"], b["velocities"], b["accelerations"])
    return [h[0] * p + T * h[1] * v + T * T * h[2] * x + h[3] * q + T * h[4] * w + T * T * h[5] * y for p, v, x, q, w, y in rows]


def write_scene(folder: Path, urdf, meshes, more):
    """A resolved scene of a robot, with embedded meshes. @param more keys of the scene; `contents`: meshes of other robots"""
    contents = [*meshes.values(), *more.pop("contents", [])]
    scene = {
        "format": "elbowroom-scene/1", "name": "random", "robot": {**robot_text(urdf, meshes), **more.pop("robot", {})},
        "meshes": {hashlib.sha256(content).hexdigest(): base64.b64encode(content).decode() for content in contents}, "hashes": {}, **more,
    }  # fmt: skip
    path = folder / "scene.json"
    path.write_text(json.dumps(scene))
    return path


def robot_text(urdf, meshes):
    """A robot of a resolved scene."""
    return {"urdf": urdf, "meshes": {address: hashlib.sha256(content).hexdigest() for address, content in meshes.items()}}


def independent(joints):
    return [joint["name"] for joint in joints if joint["kind"] != "fixed" and joint["mimic"] is None]


def without_own_pairs(links):
    """An SRDF by which no links of a robot are checked against each other."""
    names = [name for name, _ in links]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    return f'<robot name="random">{"".join(f"""<disable_collisions link1="{a}" link2="{b}"/>""" for a, b in pairs)}</robot>'


def rng(seed):
    return random.Random(seed)


def robot_of(scene):
    """Joints of a generated URDF as data for `link_poses`, and [link, xyz, rpy] of its parts whose origin is inside."""
    root = xml.fromstring(scene["robot"]["urdf"])

    def triple(element, key):
        return [float(x) for x in element.get(key).split()]

    joints, links = [], []
    for one in root.findall("joint"):
        follows = one.find("mimic")
        mimic = None if follows is None else (follows.get("joint"), float(follows.get("multiplier")), float(follows.get("offset")))
        origin = one.find("origin")
        joints.append(
            {
                "name": one.get("name"), "kind": one.get("type"), "parent": one.find("parent").get("link"),
                "child": one.find("child").get("link"), "xyz": triple(origin, "xyz"), "rpy": triple(origin, "rpy"),
                "axis": triple(one.find("axis"), "xyz"), "mimic": mimic,
            }
        )  # fmt: skip
    for link in root.findall("link"):
        for part in link.findall("collision"):
            xyz, rpy = (triple(part.find("origin"), key) for key in ("xyz", "rpy"))
            body = part.find("geometry")[0]
            if body.tag == "mesh":  # the mean of the vertices that its triangles use: all but the last one
                text = base64.b64decode(scene["meshes"][scene["robot"]["meshes"][body.get("filename")]]).decode()
                points = [[float(x) for x in line.split()[1:]] for line in text.splitlines() if line.startswith("v ")][:-1]
                mean = [sum(column) / len(points) for column in zip(*points)]
                xyz = [a + b for a, b in zip(xyz, apply(rotation(rpy), mean))]
            links.append((link.get("name"), xyz, rpy))
    return joints, links
