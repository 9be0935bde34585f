"""Scenes: resolved ones (docs/scenes.md), and plain scenes in JSON whose numbers have no units.

A scene without embedded files may name files beside it; meshes of a URDF are found relative to it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from typing import Any, NamedTuple, Optional

from . import fields
from .json_text import MAX_SIZE, parse, read_text, sha256, text_of
from .meshes import Points, read_mesh
from .motion import MAX_TIME, Course, course_of, in_order, trajectory_of
from .moving import Motion, read_motion
from .outcome import BadInput, OutsideScope
from .poses import IDENTITY, Pose
from .robot import Part, Robot, end_of, pose_of, read_robot, with_mount
from .shapes import FIELDS, Hull, primitive


class Body(NamedTuple):
    """An obstacle, or an object that a link carries. `pose`: in the world, or in the frame of the link."""

    name: str
    part: Part
    #: Of a moving obstacle: its first orientation.
    pose: Pose
    link: Optional[str]
    touches: list[str]
    motion: Optional[Motion] = None
    #: A convex decomposition may have several parts.
    is_divided: bool = False


class Other(NamedTuple):
    """Another robot: its links are called NAME/LINK. Without a course its joints keep their `fixed` values."""

    name: str
    robot: Robot
    base: Pose
    planned: list[str]
    fixed: dict[str, float]
    course: Optional[Course]
    is_divided: bool


class Scene(NamedTuple):
    robot: Robot
    #: Planned joints in the order of q, and the values of the joints that are neither planned nor mimic.
    planned: list[str]
    fixed: dict[str, float]
    base: Pose
    #: Links and objects that may have been divided into several parts.
    decomposed: set[str]
    start: Optional[list[float]]
    obstacles: list[Body]
    attached: list[Body]
    others: list[Other]
    #: Names of all links and objects, and the time from which on nothing but the robot moves.
    names: list[str]
    rests_from: float
    allow: list[tuple[str, str]]
    padding: float
    steps: Optional[list[dict[str, Any]]]
    #: The frame of the tool center point, as stated.
    tcp: dict[str, Any]
    #: Path constraints, as stated.
    constraints: Any
    #: Hashes of a resolved scene, else None.
    scene_hash: Optional[str]
    robot_hash: Optional[str]


#: Keys that do not change what is proved.
_UNUSED = (
    "format $schema name description goal goals equivalent weights speed acceleration tcp_speed hashes "
    "gravity defaults"
).split()
_USED = "robot robots start obstacles attached allow padding steps tcp constraints meshes".split()
_OUTSIDE = {
    "include": "includes (resolve the scene first)",
    "drop": "objects that have not been dropped",
    "safety": "cell limits",
    "clearance": "clearances of single pairs",
    "payload": "payloads and forces",
    "torque": "payloads and forces",
    "tracking": "a tracking error",
    "unknown_speed": "objects of unknown speed",
}
_FILES, _ROBOT_UNUSED = "urdf srdf meshes packages".split(), "limits empty motors name".split()
_ROBOT_OUTSIDE = {
    "group": "planning groups (state joints)",
    "base": "a base that moves",
    "args": "arguments of xacro",
    "joint_limits": "limits of a file (resolve the scene first)",
    "calibration": "a calibration file (resolve the scene first)",
    "clamping": "clearances of single pairs",
}

_EMBEDDED = re.compile(r"([0-9a-f]{64})\.(\w+)")


class Files:
    """The files that a scene names: embedded under their SHA-256, or in the folder of the scene."""

    def __init__(self, embedded: Optional[dict[str, Any]], folder: str) -> None:
        self.embedded = embedded
        self.folder = folder
        self.known: dict[tuple[str, str], Points] = {}

    def content(self, digest: str, name: str) -> bytes:
        given = (self.embedded or {}).get(digest)
        if not isinstance(given, str):
            raise BadInput(f"meshes: there is none of hash {digest}, which {name} has")
        try:
            content = base64.b64decode(given, validate=True)
        except ValueError:
            raise BadInput(f"meshes: {digest} is not base64") from None
        if hashlib.sha256(content).hexdigest() != digest:
            raise BadInput(f"meshes: {digest} is not the SHA-256 of its bytes")
        return content

    def read(self, name: str, folder: str) -> bytes:
        path = os.path.join(folder, name)
        try:
            with open(path, "rb") as file:
                content = file.read(MAX_SIZE + 1)
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror or error}") from None
        if len(content) > MAX_SIZE:
            raise BadInput(f"{path}: it is too large")
        return content

    def named(self, name: str) -> bytes:
        found = _EMBEDDED.fullmatch(name)
        if self.embedded is not None and found is None:
            raise BadInput(f"{name}: a scene with embedded files reads no other files")
        return self.read(name, self.folder) if found is None else self.content(found.group(1), name)

    def points(self, content: bytes, name: str) -> Points:
        key = (hashlib.sha256(content).hexdigest(), name)
        if key not in self.known:
            self.known[key] = read_mesh(content, name)
        return self.known[key]


def read_scene(path: str) -> Scene:
    try:
        return _read_scene(path)
    except fields.TextForNumber as error:
        message, value = error.args
        if re.match(r"[\s(+-]*(\d|\.\d|pi\b|[a-z]+\()", value):
            raise OutsideScope(f"{message}: units and expressions (elbowroom scene --resolved evaluates them)") from None
        raise BadInput(message) from None


def _read_scene(path: str) -> Scene:
    text = read_text(path)
    if not text.lstrip().startswith("{"):
        raise OutsideScope(f"{path}: a scene that is not JSON (elbowroom scene --resolved writes it)")
    scene = fields.record(parse(text, path), path)
    if scene.get("format") != "elbowroom-scene/1":
        if scene.get("format") == "elbowroom-suite/1":
            raise OutsideScope(f"{path}: a suite (resolve one problem: elbowroom scene SUITE#NAME --resolved)")
        raise BadInput(f"{path}: its format is not elbowroom-scene/1")
    for key, what in _OUTSIDE.items():
        if key in scene:  # an empty value may be a statement: `torque: {}` limits torques
            raise OutsideScope(f"{path}: {what}")
    fields.known_keys(scene, [*_UNUSED, *_USED, *_OUTSIDE], path)
    embedded = scene.get("meshes")
    if embedded is not None:
        fields.record(embedded, f"{path}: meshes")
    files = Files(embedded, os.path.dirname(path))
    robot_data, robot, planned, fixed = _robot(scene.get("robot"), files, f"{path}: robot")
    others = [_other(one, f"robots[{i}]", files) for i, one in enumerate(fields.items(scene.get("robots", []), "robots"))]
    obstacles = [_body(one, i, "obstacles", files) for i, one in enumerate(fields.items(scene.get("obstacles", []), "obstacles"))]
    attached = [_body(one, i, "attached", files) for i, one in enumerate(fields.items(scene.get("attached", []), "attached"))]
    for body in attached:
        if body.link not in robot.links:
            raise BadInput(f"attached {body.name!r}: there is no link {body.link!r}")
        if body.part.shape.plane is not None:
            raise OutsideScope(f"attached {body.name!r}: a half-space that a link carries")
    names = [*robot.links, *(body.name for body in [*attached, *obstacles])]
    names += [f"{other.name}/{link}" for other in others for link in other.robot.links]
    decomposed = {name for name in robot.links if robot_data.get("parts", "hull") != "hull"}
    decomposed |= {body.name for body in [*obstacles, *attached] if body.is_divided}
    decomposed |= {f"{other.name}/{link}" for other in others for link in other.robot.links if other.is_divided}
    ends = [body.motion.end for body in obstacles if body.motion] + [float(other.course[-1][1]) for other in others if other.course]
    if len(set(names)) < len(names):
        raise BadInput(f"{path}: the name {next(n for n in names if names.count(n) > 1)!r} is used twice")
    padding = fields.number(scene.get("padding", 0.0), "padding", fields.MAX_LENGTH)
    if padding < 0:
        raise BadInput("padding: it is negative")
    is_resolved = embedded is not None or "hashes" in scene
    hashed = {key: value for key, value in scene.items() if key not in ("name", "description", "hashes", "meshes")}
    hashes = [sha256(text_of(one, is_sorted=True)) if is_resolved else None for one in (hashed, scene.get("robot"))]
    allow = [_pair(one, f"allow[{i}]", names) for i, one in enumerate(scene.get("allow") or [])]
    steps = None if scene.get("steps") is None else fields.items(scene["steps"], "steps")
    tcp, constraints = fields.record(scene.get("tcp", {}), "tcp"), [] if scene.get("constraints") is None else scene["constraints"]
    base, start = pose_of(robot_data.get("pose"), "robot.pose"), _configuration(scene.get("start"), robot, planned)
    return Scene(
        robot, planned, fixed, base, decomposed, start, obstacles, attached, others, names, max([0.0, *ends]), allow, padding, steps, tcp,
        constraints, *hashes
    )  # fmt: skip


def _pair(given: Any, place: str, names: list[str]) -> tuple[str, str]:
    pair = fields.texts(given, place)
    if len(pair) != 2:
        raise BadInput(f"{place}: it must be two names")
    for name in pair:
        if name not in names:
            raise BadInput(f"{place}: there is no link or object {name!r}")
    return pair[0], pair[1]


def _robot(given: Any, files: Files, place: str) -> tuple[dict[str, Any], Robot, list[str], dict[str, float]]:
    """What is stated, the robot with its tool and mounts in this order, its planned joints, and the values of others."""
    data = fields.record({"urdf": given} if isinstance(given, str) else given, place)
    known = [*_FILES, "joints", "fixed", "pose", "parts", "geometry", "tool", "mounts"]
    fields.known_keys(data, [*known, *_ROBOT_UNUSED, *_ROBOT_OUTSIDE], place)
    geometry = data.get("geometry", "collision")
    if geometry not in ("collision", "visual"):
        raise BadInput(f"{place}.geometry: {geometry!r}")
    robot = _robot_file(data, files, place, geometry)
    tool = [] if data.get("tool") is None else [fields.record(data["tool"], f"{place}.tool")]
    for k, mount in enumerate([*tool, *fields.items(data.get("mounts", []), f"{place}.mounts")]):
        fields.known_keys(mount, [*_FILES, "link", "pose", "prefix", "name", *_ROBOT_OUTSIDE], f"{place}: mounts")
        own = _robot_file(mount, files, f"{place}: mounts", geometry)
        if "link" not in mount and k > 0 and "tool0" in robot.links:
            raise OutsideScope(f"{place}: the end of a robot with a tool and a link tool0 (state the link)")
        independent = [joint.name for joint in robot.joints if joint.mimic is None]
        link = fields.text(mount["link"], f"{place}: mounts: link") if "link" in mount else end_of(robot, independent)
        prefix = "" if mount.get("prefix", "") == "" else fields.text(mount["prefix"], f"{place}: mounts: prefix")
        robot = with_mount(robot, own, link, pose_of(mount.get("pose"), f"{place}: mounts: pose"), prefix)
    return data, robot, *_joints(robot, data, place)


def _robot_file(data: dict[str, Any], files: Files, place: str, geometry: str) -> Robot:
    for key, what in _ROBOT_OUTSIDE.items():
        if key in data:
            raise OutsideScope(f"{place}: {what}")
    if "urdf" not in data:
        raise OutsideScope(f"{place}: the name of a bundled robot (resolve the scene first)")
    urdf, srdf = fields.text(data["urdf"], f"{place}.urdf"), data.get("srdf")
    meshes = fields.record(data.get("meshes", {}), f"{place}.meshes")
    if urdf.lstrip("\ufeff").lstrip().startswith("<"):

        def read(address: str) -> Points:
            digest = meshes.get(address)
            if not isinstance(digest, str):
                raise BadInput(f"{place}.meshes: the mesh {address} is missing")
            return files.points(files.content(digest, address), address)

        if srdf is not None and not str(srdf).lstrip("\ufeff").lstrip().startswith("<"):
            raise BadInput(f"{place}.srdf: it must be the text of an SRDF, as urdf is")
        return read_robot(urdf, srdf, read, geometry)
    if meshes:
        raise BadInput(f"{place}.meshes: embedded meshes of a robot that is a file")
    if not urdf.endswith(".urdf") or files.embedded is not None:
        raise OutsideScope(f"{place}: the robot {urdf!r} (resolve the scene first)")
    path = os.path.join(files.folder, urdf)

    def read_beside(address: str) -> Points:
        if ":" in address:
            raise OutsideScope(f"{place}: the address {address} of a mesh (resolve the scene first)")
        return files.points(files.read(address, os.path.dirname(path)), address)

    return read_robot(read_text(path), None if srdf is None else read_text(os.path.join(files.folder, srdf)), read_beside, geometry)


def _other(data: dict[str, Any], place: str, files: Files) -> Other:
    fields.known_keys(data, ("name", "robot", "pose", "trajectory", "start_time", "q"), place)
    name = fields.text(data.get("name"), f"{place}.name")
    stated, robot, planned, fixed = _robot(data.get("robot"), files, f"{place}.robot")
    is_divided = stated.get("parts", "hull") != "hull"
    if "pose" in stated or ("q" in data) == ("trajectory" in data):
        raise OutsideScope(f"{place}: two poses, or not either q or a trajectory")
    base = pose_of(data.get("pose"), f"{place}.pose")
    if "q" in data:
        q = fields.numbers(data["q"], len(planned), f"{place}.q", fields.MAX_ANGLE)
        return Other(name, robot, base, planned, {**fixed, **dict(zip(planned, q))}, None, is_divided)
    path, later = fields.text(data["trajectory"], f"{place}.trajectory"), fields.number(data.get("start_time", 0.0), place, MAX_TIME)
    motion = in_order(trajectory_of(files.named(path).decode("utf-8-sig", "replace"), path), planned)
    if not motion.is_timed or motion.segments or motion.events:
        raise OutsideScope(f"{place}: a trajectory without times, or of a program")
    # Times are sums of doubles, rounded to doubles, and exact from there on.
    points = [point._replace(time=(point.time or 0.0) + later) for point in motion.points]
    if any(not a.time < b.time for a, b in zip(points, points[1:])):  # type: ignore[operator]
        raise BadInput(f"{place}.start_time: its times do not increase")
    return Other(name, robot, base, planned, fixed, course_of(motion._replace(points=points)), is_divided)


def _joints(robot: Robot, data: dict[str, Any], place: str) -> tuple[list[str], dict[str, float]]:
    independent = [joint.name for joint in robot.joints if joint.kind != "fixed" and joint.mimic is None]
    planned = independent if data.get("joints") is None else fields.texts(data["joints"], f"{place}.joints")
    if len(set(planned)) < len(planned) or not set(planned) <= set(independent):
        raise BadInput(f"{place}.joints: a joint is listed twice, or is none that moves by itself")
    fixed = {
        fields.text(name, place): fields.number(value, f"{place}.fixed.{name}", fields.MAX_ANGLE)
        for name, value in fields.record(data.get("fixed", {}), f"{place}.fixed").items()
    }
    if not set(fixed) <= set(independent) - set(planned):
        raise BadInput(f"{place}.fixed: a joint that is planned, or none that moves by itself")
    return planned, fixed


def _configuration(given: Any, robot: Robot, planned: list[str]) -> Optional[list[float]]:
    """The start: values in order; or values by joint, 0 for the others; or the name of a state."""
    if given is None:
        return None
    if isinstance(given, list):
        return fields.numbers(given, len(planned), "start", fields.MAX_ANGLE)
    if isinstance(given, str):
        if given not in robot.states:
            raise BadInput(f"start: there is no state {given!r}")
        return [robot.states[given].get(name, 0.0) for name in planned]
    values = fields.record(given, "start")
    fields.known_keys(values, planned, "start")
    return [fields.number(values.get(name, 0.0), f"start.{name}", fields.MAX_ANGLE) for name in planned]


def _body(data: dict[str, Any], index: int, key: str, files: Files) -> Body:
    kind = fields.text(data.get("type"), f"{key}[{index}].type")
    name = fields.text(data.get("name", f"{kind}-{index + 1}"), f"{key}[{index}].name")
    place = f"{'obstacle' if key == 'obstacles' else 'attached object'} {name!r}"
    if kind not in FIELDS:
        raise OutsideScope(f"{place}: a {kind} (supported: {', '.join(sorted(FIELDS))})")
    common = {"name", "type", "pose", "margin"} | ({"link", "touches"} if key == "attached" else {"free", "motion"})
    fields.known_keys(data, FIELDS[kind] | common | {"mass", "density", "center", "inertia"}, place)
    if kind == "mesh":
        margin = fields.number(data.get("margin", 0.0), f"{place}.margin", fields.MAX_LENGTH)
        if margin < 0:
            raise BadInput(f"{place}.margin: {margin} is negative")
        scale = data.get("scale", 1.0)
        factors = (scale,) * 3 if isinstance(scale, float) else fields.triple(scale, f"{place}.scale")
        if 0 in factors:
            raise BadInput(f"{place}.scale: no factor may be 0")
        file = fields.text(data.get("file"), f"{place}.file")
        shape = Hull(files.points(files.named(file), file), factors, margin)
    else:
        shape = primitive(data, place)  # type: ignore[assignment]
    link = fields.text(data.get("link"), f"{place}.link") if key == "attached" else None
    touches = fields.texts(data.get("touches", []), f"{place}.touches")
    body = Body(name, Part(shape, IDENTITY), IDENTITY, link, touches, is_divided=data.get("parts", "hull") != "hull")
    if "motion" not in data:
        return body._replace(pose=pose_of(data.get("pose"), f"{place}.pose"))
    if "pose" in data or shape.plane is not None:
        raise BadInput(f"{place}: a motion beside a pose, or of a half-space")
    motion, first = read_motion(data["motion"], f"{place}.motion")
    return body._replace(pose=first, motion=motion)
