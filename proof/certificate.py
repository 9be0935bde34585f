"""Writes a certificate, its scene and its motion as a term of Coq, which `Checker.v` verifies:

    python3 certificate.py CERTIFICATE SCENE TRAJECTORY > Certificate.v

SCENE is a resolved scene (`elbowroom scene SCENE --resolved`). Numbers are the doubles of the files, exactly. What the
checker does not know is refused (exit code 3): robots other than trees of revolute, continuous and prismatic joints about
axes of their frames, shapes other than boxes, cylinders, spheres and capsules, quaternions, attached objects, pairs of two
links, moving obstacles, programs, path constraints. That the pairs are those that have to be checked is not a part of the
proof; `elbowroom verify` checks it.
"""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as xml
from fractions import Fraction
from typing import Any, Optional


class Refused(Exception):
    pass


def only(given: dict[str, Any], keys: str, what: str) -> None:
    unknown = [key for key in given if key not in keys.split()]
    if unknown:
        raise Refused(f"{what}: {', '.join(unknown)}")


def number(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused(f"{value!r} is not a number")
    ratio = Fraction(value)
    return f"(Number ({ratio.numerator}) {ratio.denominator.bit_length() - 1})"


def listed(items: list[str]) -> str:
    return "[" + ";\n   ".join(items) + "]"


def joint(slides: bool, axis: str, planned: int, multiplier: float, offset: float) -> str:
    return f"Passage {'true' if slides else 'false'} {axis} {planned} {number(multiplier)} {number(offset)}"


def pose(xyz: list[float], rpy: list[float]) -> list[str]:
    """A fixed pose as joints that do not move; those of value 0 are left out."""
    slides = [joint(True, axis, 0, 0, value) for axis, value in zip("XYZ", xyz) if value != 0]
    turns = [joint(False, axis, 0, 0, value) for axis, value in zip("ZYX", reversed(rpy)) if value != 0]
    return slides + turns


def triple(text: Optional[str]) -> list[float]:
    found = [0.0, 0.0, 0.0] if text is None else [float(word) for word in text.split()]
    if len(found) != 3:
        raise Refused(f"{text!r} does not have three numbers")
    return found


def solid(kind: str, size: dict[str, Any], margin: float) -> str:
    if margin != 0 and kind in ("sphere", "capsule"):
        raise Refused(f"a {kind} with a margin")
    if kind == "box":
        only(size, "size", "box")
        return f"Solid (Box {' '.join(number(edge / 2) for edge in size['size'])}) {number(margin)}"
    if kind == "cylinder":
        only(size, "radius length", kind)
        return f"Solid (Cylinder {number(size['radius'])} {number(size['length'] / 2)}) {number(margin)}"
    if kind == "sphere":
        only(size, "radius", kind)
        return f"Solid (Box {number(0)} {number(0)} {number(0)}) {number(size['radius'])}"
    if kind == "capsule":
        only(size, "radius length", kind)
        return f"Solid (Box {number(0)} {number(0)} {number(size['length'] / 2)}) {number(size['radius'])}"
    raise Refused(f"the shape {kind}")


class Robot:
    """The chain of each link from the world, and its parts: (joints from the link to the part, solid)."""

    def __init__(self, urdf: str, planned: list[str]) -> None:
        root = xml.fromstring(urdf)
        if root.tag != "robot" or any(child.tag not in ("link", "joint") for child in root):
            raise Refused("a URDF with other elements than links and joints")
        self.parts = {link.get("name", ""): self._parts(link) for link in root.findall("link")}
        joints = {one.find("child").get("link"): one for one in root.findall("joint")}  # type: ignore[union-attr]
        if len(joints) < len(root.findall("joint")):
            raise Refused("a link with two parents")
        self.chains = {name: self._chain(name, joints, planned) for name in self.parts}
        moving = {one.get("name") for one in root.findall("joint") if one.get("type") != "fixed"}
        if moving != set(planned):
            raise Refused("a motion that does not have exactly the joints of the robot")

    def _origin(self, element: xml.Element) -> list[str]:
        origin = element.findall("origin")
        if len(origin) > 1:
            raise Refused("two origins")
        return pose(triple(origin[0].get("xyz")), triple(origin[0].get("rpy"))) if origin else []

    def _parts(self, link: xml.Element) -> list[tuple[list[str], str]]:
        found = []
        for collision in link.findall("collision"):
            shapes = [shape for geometry in collision.findall("geometry") for shape in geometry]
            if len(shapes) != 1:
                raise Refused("a collision without one shape")
            size: dict[str, Any] = {key: triple(value) if key == "size" else float(value) for key, value in shapes[0].items()}
            found.append((self._origin(collision), solid(shapes[0].tag, size, 0)))
        return found

    def _chain(self, link: str, joints: dict[Any, xml.Element], planned: list[str]) -> list[str]:
        if link not in joints:
            return []
        one = joints[link]
        kind = one.get("type")
        before = self._chain(one.find("parent").get("link"), joints, planned)  # type: ignore[union-attr, arg-type]
        if one.find("mimic") is not None or kind not in ("fixed", "revolute", "continuous", "prismatic"):
            raise Refused(f"a joint of type {kind}, or one that mimics another")
        before = before + self._origin(one)
        if kind == "fixed":
            return before
        axis = one.find("axis")
        direction = [1.0, 0.0, 0.0] if axis is None else triple(axis.get("xyz"))
        if sorted(map(abs, direction)) != [0, 0, 1]:
            raise Refused("a joint about another line than an axis of its frame")
        at = [value != 0 for value in direction].index(True)
        return [*before, joint(kind == "prismatic", "XYZ"[at], planned.index(one.get("name", "")), direction[at], 0)]


def obstacles(scene: dict[str, Any]) -> dict[str, tuple[list[str], str]]:
    found = {}
    for body in scene.get("obstacles", []):
        body = dict(body)
        name, kind, at, margin = body.pop("name"), body.pop("type"), body.pop("pose", {}), body.pop("margin", 0)
        only(at, "xyz rpy", f"{name}: pose")
        zero = [0, 0, 0]
        found[name] = (pose(at.get("xyz", zero), at.get("rpy", zero)), solid(kind, body, margin))
    return found


class Times:
    """Times as whole numbers of units, of which a power of 2 make a second."""

    def __init__(self, values: list[float]) -> None:
        self.unit = max(Fraction(value).denominator for value in values)

    def units(self, value: float) -> str:
        return f"({int(Fraction(value) * self.unit)})"


def piece(times: Times, a: dict[str, Any], b: dict[str, Any], stated: Optional[str], order: list[int]) -> str:
    both = [all(point.get(key) for point in (a, b)) and stated != "linear" for key in ("velocities", "accelerations")]
    keys = ["positions"]
    if both[0]:
        keys += ["velocities", *(["accelerations"] if both[1] and stated != "cubic" else [])]
    kind = ("Line", "Cubic", "Quintic")[len(keys) - 1]
    curves = [" ".join([kind, *(number(point[key][j]) for key in keys for point in (a, b))]) for j in order]
    return f"Piece {times.units(a['time_from_start'])} {times.units(b['time_from_start'])} {listed(curves)}"


def term(certificate: dict[str, Any], scene: dict[str, Any], motion: dict[str, Any]) -> str:
    only(scene, "format name description robot start goal obstacles padding allow meshes hashes equivalent weights", "scene")
    only(scene["robot"], "urdf meshes", "robot")
    only(certificate, "format trajectory scene_hash robot_hash interpolation duration pairs", "certificate")
    points = motion["points"]
    if points[0].get("time_from_start") != 0 or len(points) < 2:
        raise Refused("a motion that does not begin at time 0")
    robot = Robot(scene["robot"]["urdf"], motion["joint_names"])
    bodies = obstacles(scene)
    spans = [span for pair in certificate["pairs"] for span in pair["spans"]]
    times = Times([point["time_from_start"] for point in points] + [time for span in spans for time in span[:2]])
    order = list(range(len(motion["joint_names"])))
    pieces = [piece(times, a, b, motion.get("interpolation"), order) for a, b in zip(points, points[1:])]
    pairs = []
    for pair in certificate["pairs"]:
        if pair["b"] not in bodies or pair["partB"] != 0 or pair["a"] not in robot.parts:
            raise Refused(f"the pair {pair['a']} and {pair['b']}: not a link and an obstacle")
        at, shape = robot.parts[pair["a"]][pair["partA"]]
        resting, obstacle = bodies[pair["b"]]
        rows = [f"Span {times.units(t0)} {times.units(t1)} (Triple {' '.join(map(number, n))})" for t0, t1, *n in pair["spans"]]
        chain = listed(robot.chains[pair["a"]] + at)
        pairs.append("\n    ".join([f"Pair {chain}", f"({shape})", listed(resting), f"({obstacle})", listed(rows)]))
    head = f"Certificate {times.unit} {times.units(certificate['duration'])} {number(scene.get('padding', 0))}"
    return "\n  ".join([head, listed(pieces), listed(pairs)])


def main(paths: list[str]) -> int:
    if len(paths) != 3:
        print("usage: certificate.py CERTIFICATE SCENE TRAJECTORY", file=sys.stderr)
        return 2
    certificate, scene, motion = (json.load(open(path, encoding="utf-8")) for path in paths)
    try:
        written = term(certificate, scene, motion)
    except Refused as reason:
        print(f"outside the scope: {reason}", file=sys.stderr)
        return 3
    print(
        "(* Made by certificate.py. *)\nFrom Coq Require Import ZArith List.\nRequire Import Checker Accepted.\n"
        f"Import ListNotations.\nOpen Scope Z_scope.\n\nDefinition given :=\n  {written}.\n\n"
        "Lemma given_accepted : accepts given = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        "(* Every pair is farther apart than the padding at every time of the motion. *)\n"
        "Definition given_apart := accepted given given_accepted.\nCheck given_apart.\nPrint Assumptions given_apart.\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
