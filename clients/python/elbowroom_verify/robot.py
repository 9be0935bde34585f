"""Robots: URDF and SRDF. Elements and attributes that could change the robot and are not supported are refused."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml
from fractions import Fraction
from typing import Callable, NamedTuple, Optional

from . import fields
from .arithmetic import unit_vector
from .outcome import BadInput, OutsideScope
from .poses import IDENTITY, Pose, Vector, from_quaternion, quaternion_of_rpy
from .shapes import Hull, Shape, primitive

#: Reads the vertices of a mesh by its address.
ReadMesh = Callable[[str], list[tuple[float, float, float]]]


class Joint(NamedTuple):
    name: str
    kind: str
    parent: str
    child: str
    origin: Pose
    axis: Vector
    lower: float
    upper: float
    mimic: Optional[tuple[str, float, float]]


class Part(NamedTuple):
    """A convex part of a link or object, at a pose in its frame."""

    shape: Shape
    at: Pose


class Robot(NamedTuple):
    root: str
    #: Parts by link, in the order of the file.
    links: dict[str, list[Part]]
    joints: list[Joint]
    #: Pairs of links that are not checked, with the reason; and pairs that are checked even if they are adjacent.
    disabled: list[tuple[str, str, str]]
    enabled: list[tuple[str, str]]
    states: dict[str, dict[str, float]]


def _parse(text: str, name: str) -> xml.Element:
    if re.search(r"<!\s*(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise BadInput(f"{name}: a DOCTYPE, and so entities, are refused")
    try:
        root = xml.fromstring(text.lstrip("\ufeff").strip())
    except (xml.ParseError, ValueError) as error:
        raise BadInput(f"{name}: not XML: {error}") from None
    if root.tag != "robot":
        raise OutsideScope(f"{name}: a file of <{root.tag}> (URDF has <robot>)")
    # Readers differ on whether an element of a namespace is the one of its local name.
    for tag in (element.tag for part in root if part.tag != "gazebo" for element in part.iter()):
        if "}" in tag:
            raise OutsideScope(f"{name}: the element {tag} of a namespace")
    return root


_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE | re.ASCII)


def _numbers(element: xml.Element, key: str, count: int, place: str, largest: float) -> Optional[list[float]]:
    given = element.get(key)
    if given is None:
        return None
    words = given.split()
    if len(words) != count or not all(_NUMBER.fullmatch(word) for word in words):
        raise BadInput(f"{place}: {key}={given!r} must have {count} numbers")
    return [fields.number(float(word), f"{place}: {key}", largest) for word in words]


def _triple(element: xml.Element, key: str, place: str, default: fields.Triple, largest: float) -> fields.Triple:
    found = _numbers(element, key, 3, place, largest)
    return default if found is None else (found[0], found[1], found[2])


def _one(element: xml.Element, key: str, place: str) -> float:
    found = _numbers(element, key, 1, place, fields.MAX_LENGTH)
    if found is None:
        raise BadInput(f"{place}: <{element.tag}> has no {key}")
    return found[0]


def _only(element: xml.Element, tag: str, place: str) -> Optional[xml.Element]:
    found = element.findall(tag)
    if len(found) > 1:
        raise BadInput(f"{place}: <{element.tag}> has {len(found)} <{tag}>, at most one is allowed")
    return found[0] if found else None


def _attributes(element: xml.Element, known: str, place: str) -> None:
    for key in element.keys():
        if key not in known.split():
            raise OutsideScope(f"{place}: the attribute {key} of <{element.tag}>")


def _children(element: xml.Element, known: str, place: str) -> None:
    for child in element:
        if child.tag not in known.split():
            raise OutsideScope(f"{place}: <{child.tag}> in <{element.tag}>")


def _origin(element: xml.Element, place: str) -> Pose:
    origin = _only(element, "origin", place)
    if origin is None:
        return IDENTITY
    _attributes(origin, "xyz rpy", place)
    xyz = _triple(origin, "xyz", place, (0.0, 0.0, 0.0), fields.MAX_LENGTH)
    return from_quaternion(xyz, quaternion_of_rpy(_triple(origin, "rpy", place, (0.0, 0.0, 0.0), fields.MAX_ANGLE)))


def read_robot(urdf: str, srdf: Optional[str], read_mesh: ReadMesh, geometry: str) -> Robot:
    """@param geometry which elements of a link are checked: collision; or visual, where a link has any."""
    if "<xacro:" in urdf:
        raise OutsideScope("URDF: xacro is not expanded: resolve the scene first")
    root = _parse(urdf, "URDF")
    version = root.get("version", "1.0").strip()
    if version not in ("1", "1.0"):
        raise OutsideScope(f"URDF: version {version}")
    links: dict[str, list[Part]] = {}
    for link in root.findall("link"):
        name = fields.text(link.get("name"), "URDF: a link's name")
        if name in links:
            raise BadInput(f"URDF: two links are called {name!r}")
        _children(link, "inertial visual collision", f"link {name!r}")
        links[name] = [part for part in _parts(link, f"link {name!r}", read_mesh, geometry) if part is not None]
    joints = [_joint(element) for element in root.findall("joint")]
    if len(list(root.iter("link"))) > len(root.findall("link")):
        raise OutsideScope("URDF: a <link> within another element")
    base = _root_of(links, joints)
    disabled, enabled, states = _read_srdf(srdf, set(links), {joint.name for joint in joints})
    if root.get("calibration") is not None:  # that a pair never collides was found for the nominal joints
        disabled = [(a, b, reason) for a, b, reason in disabled if reason.strip() != "Never"]
    return Robot(base, links, joints, disabled, enabled, states)


def _parts(link: xml.Element, place: str, read_mesh: ReadMesh, geometry: str) -> list[Optional[Part]]:
    elements = link.findall("collision")
    if geometry == "visual" and link.find("visual") is not None:
        elements = link.findall("visual")
    return [_part(element, place, read_mesh) for element in elements]


def _part(element: xml.Element, place: str, read_mesh: ReadMesh) -> Optional[Part]:
    """None for a sphere of radius 0 and a box of size 0 0 0, which stand for no shape."""
    _children(element, "origin geometry material contact verbose", place)
    geometry = _only(element, "geometry", place)
    if geometry is None or len(geometry) != 1:
        raise BadInput(f"{place}: <{element.tag}> must have one <geometry> with one shape")
    at = _origin(element, place)
    body = geometry[0]
    if body.tag == "mesh":
        _attributes(body, "filename scale", place)
        address = fields.text((body.get("filename") or "").strip(), f"{place}: filename")
        scale = _triple(body, "scale", place, (1.0, 1.0, 1.0), fields.MAX_LENGTH)
        if 0 in scale:
            raise BadInput(f"{place}: scale {scale}: no factor may be 0")
        return Part(Hull(read_mesh(address), scale, 0.0), at)
    if body.tag == "box":
        _attributes(body, "size", place)
        size = _triple(body, "size", place, (0.0, 0.0, 1.0), fields.MAX_LENGTH)
        if body.get("size") is None:
            raise BadInput(f"{place}: <box> has no size")
        return None if size == (0, 0, 0) else Part(primitive({"type": "box", "size": list(size)}, place), at)
    if body.tag == "sphere":
        _attributes(body, "radius", place)
        radius = _one(body, "radius", place)
        return None if radius == 0 else Part(primitive({"type": "sphere", "radius": radius}, place), at)
    if body.tag in ("cylinder", "capsule"):
        _attributes(body, "radius length", place)
        sizes = {key: _one(body, key, place) for key in ("radius", "length")}
        return Part(primitive({"type": body.tag, **sizes}, place), at)
    raise OutsideScope(f"{place}: the geometry <{body.tag}>")


def _joint(element: xml.Element) -> Joint:
    name = fields.text(element.get("name"), "URDF: a joint's name")
    place = f"joint {name!r}"
    kind = element.get("type", "")
    if kind not in ("revolute", "continuous", "prismatic", "fixed"):
        raise OutsideScope(f"{place}: the type {kind!r}")
    _children(element, "origin parent child axis limit mimic dynamics calibration safety_controller", place)
    ends = [_only(element, end, place) for end in ("parent", "child")]
    parent, child = (fields.text(None if end is None else end.get("link"), f"{place}: parent and child") for end in ends)
    axis = _only(element, "axis", place) if kind != "fixed" else None
    if axis is not None:
        _attributes(axis, "xyz", place)
        if axis.get("xyz") is None:
            raise BadInput(f"{place}: <axis> has no xyz")
    direction = (1.0, 0.0, 0.0) if axis is None else _triple(axis, "xyz", place, (1.0, 0.0, 0.0), 1e300)
    if direction == (0, 0, 0):
        raise BadInput(f"{place}: its axis has no direction")
    limit = _only(element, "limit", place)
    if kind in ("revolute", "prismatic") and limit is None and element.find("mimic") is None:
        raise BadInput(f"{place}: a {kind} joint needs a <limit>")
    lower, upper = (((limit is not None and _numbers(limit, key, 1, place, 1e300)) or [0.0])[0] for key in ("lower", "upper"))
    if kind == "continuous" or (limit is None and element.find("mimic") is not None):
        lower, upper = -1e6, 1e6
    followed = _only(element, "mimic", place) if kind != "fixed" else None
    mimic = None
    if followed is not None:
        _attributes(followed, "joint multiplier offset", place)
        leader = fields.text(followed.get("joint"), f"{place}: mimic")
        factor = (_numbers(followed, "multiplier", 1, place, 1e3) or [1.0])[0]
        mimic = (leader, factor, (_numbers(followed, "offset", 1, place, fields.MAX_ANGLE) or [0.0])[0])
    return Joint(name, kind, parent, child, _origin(element, place), unit_vector(direction), lower, upper, mimic)


def _root_of(links: dict[str, list[Part]], joints: list[Joint]) -> str:
    """The root of the tree: one, every other link the child of one joint, no loop."""
    if len({joint.name for joint in joints}) < len(joints):
        raise BadInput("URDF: two joints have the same name")
    above: dict[str, str] = {}
    for joint in joints:
        if joint.parent not in links or joint.child not in links or joint.child in above:
            raise BadInput(f"joint {joint.name!r}: its links do not exist, or its child has another joint above it")
        above[joint.child] = joint.parent
    roots = [name for name in links if name not in above]
    if len(roots) != 1:
        raise BadInput(f"URDF: {len(roots)} links have no joint above them, it must be one")
    for name in links:
        at, steps = name, 0
        while at in above:
            at, steps = above[at], steps + 1
            if steps > len(links):
                raise BadInput(f"URDF: the joints above link {name!r} form a loop")
    return roots[0]


_SRDF = (
    "group group_state end_effector virtual_joint passive_joint disable_collisions enable_collisions "
    "disable_default_collisions joint_property link_sphere_approximation"
)


def _read_srdf(srdf: Optional[str], links: set[str], joints: set[str]):  # type: ignore[no-untyped-def]
    disabled: list[tuple[str, str, str]] = []
    enabled: list[tuple[str, str]] = []
    states: dict[str, dict[str, float]] = {}
    if srdf is None:
        return disabled, enabled, states
    root = _parse(srdf, "SRDF")
    _children(root, _SRDF, "SRDF")
    for element in root:
        if element.tag in ("disable_collisions", "enable_collisions"):
            a, b = (fields.text(element.get(key), f"SRDF: {key} of <{element.tag}>") for key in ("link1", "link2"))
            if a not in links or b not in links:
                continue
            if element.tag == "enable_collisions":
                enabled.append((a, b))
            else:
                disabled.append((a, b, element.get("reason", "")))
        elif element.tag == "group_state":
            values = states.setdefault(fields.text(element.get("name"), "SRDF: name of a state"), {})
            for joint in element.findall("joint"):
                if joint.get("name", "") in joints:
                    value = _numbers(joint, "value", 1, "SRDF: a state", fields.MAX_ANGLE)
                    if value is None:
                        raise BadInput("SRDF: a joint of a state has no value")
                    values[joint.get("name", "")] = value[0]
    return disabled, enabled, states


def rest_value(joint: Joint) -> float:
    """The value of a joint that is neither planned nor stated: 0, or the limit next to it."""
    return 0.0 if joint.kind == "continuous" else min(max(0.0, joint.lower), joint.upper)


def leader_of(robot: Robot, joint: Joint) -> tuple[str, Fraction, Fraction]:
    """The independent joint that a joint follows, its multiplier and offset; the joint itself, 1 and 0."""
    named = {one.name: one for one in robot.joints}
    factor, offset, at, steps = Fraction(1), Fraction(0), joint, 0
    while at.mimic is not None:
        name, multiplier, more = at.mimic
        if name not in named or steps > len(robot.joints):
            raise BadInput(f"joint {joint.name!r}: it follows {name!r}, which leads to no independent joint")
        offset += factor * Fraction(more)
        factor *= Fraction(multiplier)
        at, steps = named[name], steps + 1
    return at.name, factor, offset


def end_of(robot: Robot, planned: list[str]) -> str:
    """The end of a robot whose moving joints are one chain. Joints that are not planned end it as those that are: what they
    carry is no end."""
    above = {joint.child: joint for joint in robot.joints}

    def over(link: str) -> list[Joint]:
        return [] if link not in above else [*over(above[link].parent), above[link]]

    moving = [joint for joint in robot.joints if joint.kind != "fixed" and leader_of(robot, joint)[0] in planned]
    if not moving:
        raise OutsideScope("the end of a robot without planned joints (state the link)")
    last = max(moving, key=lambda joint: len(over(joint.child)))
    if not all(joint in over(last.child) for joint in moving):
        raise OutsideScope("the end of a robot with several branches (state the link)")
    rigid = _rigid(last.child, robot.joints, True)
    if "tool0" in rigid:
        return "tool0"
    ends = [name for name in rigid if not any(joint.parent == name and joint.child in rigid for joint in robot.joints)]
    if len(ends) != 1:
        raise OutsideScope("the end of a robot with several ends (state the link)")
    return ends[0]


def _rigid(link: str, joints: list[Joint], is_downward: bool = False) -> list[str]:
    """The link and all that fixed joints connect to it; or only those below it."""
    found = [link]
    for one in found:
        for joint in joints:
            if joint.kind == "fixed":
                found += [b for a, b in ((joint.parent, joint.child), (joint.child, joint.parent))[: 2 - is_downward] if a == one and b not in found]
    return found


def with_mount(host: Robot, tool: Robot, link: str, at: Pose, prefix: str) -> Robot:
    """A robot with another one fixed to a link; names of the latter get a prefix. Pairs of one link of each that only fixed
    joints connect are not checked."""
    links = {prefix + name: parts for name, parts in tool.links.items()}
    mount = Joint(f"{prefix}{tool.root}_mount", "fixed", link, prefix + tool.root, at, (0, 0, 0), 0.0, 0.0, None)
    own = [
        joint._replace(name=prefix + joint.name, parent=prefix + joint.parent, child=prefix + joint.child,
                       mimic=joint.mimic and (prefix + joint.mimic[0], *joint.mimic[1:])) for joint in tool.joints
    ]
    if link not in host.links:
        raise BadInput(f"mount: there is no link {link!r}")
    if set(links) & set(host.links) or {joint.name for joint in [mount, *own]} & {joint.name for joint in host.joints}:
        raise BadInput(f"mount: the robot and {tool.root!r} have a link or a joint of the same name (state a prefix)")
    states = {name: dict(values) for name, values in host.states.items()}
    for name, values in tool.states.items():
        states.setdefault(name, {}).update({prefix + joint: value for joint, value in values.items()})
    rigid = [(a, b, "Rigid") for b in _rigid(mount.child, own) for a in _rigid(link, host.joints)]
    disabled = [*host.disabled, *((prefix + a, prefix + b, reason) for a, b, reason in tool.disabled), *rigid]
    enabled = [*host.enabled, *((prefix + a, prefix + b) for a, b in tool.enabled)]
    return Robot(host.root, {**host.links, **links}, [*host.joints, mount, *own], disabled, enabled, states)


def stated_pose(data: object, place: str) -> tuple[fields.Triple, tuple[int, ...]]:
    """A pose of a scene: xyz, and rpy or quat_wxyz of a length of 1 within 1e-3. Position and unit quaternion, whose parts are
    off by at most 40 units."""
    given = {} if data is None else fields.record(data, place)
    fields.known_keys(given, ("xyz", "rpy", "quat_wxyz"), place)
    xyz = fields.triple(given.get("xyz", [0.0, 0.0, 0.0]), f"{place}.xyz")
    if "quat_wxyz" not in given:
        return xyz, quaternion_of_rpy(fields.triple(given.get("rpy", [0.0, 0.0, 0.0]), f"{place}.rpy", fields.MAX_ANGLE))
    if "rpy" in given:
        raise BadInput(f"{place}: rpy and quat_wxyz are both given")
    parts = fields.numbers(given["quat_wxyz"], 4, f"{place}.quat_wxyz", 2)
    if not Fraction(998, 1000) < sum(Fraction(part) ** 2 for part in parts) < Fraction(1002, 1000):
        raise BadInput(f"{place}.quat_wxyz: its length is not 1")
    return xyz, unit_vector(parts)


def pose_of(data: object, place: str) -> Pose:
    return from_quaternion(*stated_pose(data, place))
