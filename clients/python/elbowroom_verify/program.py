"""Worlds: what is attached and allowed from one event of a program to the next. A single motion has one world."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from . import fields
from .motion import Piece, Trajectory
from .outcome import BadInput, NotProved, OutsideScope
from .poses import IDENTITY, compose, inverse
from .relative import Arm, Placed, at_time, placed
from .robot import end_of
from .scene import Body, Scene

#: Seconds: how far the times of segments and events may be from each other.
TIME_TOLERANCE = 1e-9
_TIMED = ("move", "line", "arc", "path", "wait")
_EVENTS = ("attach", "detach", "set", "allow", "forbid")


class World(NamedTuple):
    start: float
    end: float
    obstacles: list[Body]
    attached: list[Body]
    allow: list[tuple[str, str]]


def parts_of(arm: Arm, scene: Scene, world: World) -> list[Placed]:
    """All parts: links, attached objects, obstacles, each in the frame of its anchor."""
    parts: list[Placed] = []
    for name, (anchor, at) in arm.links.items():
        for i, part in enumerate(scene.robot.links[name]):
            parts.append(placed(name, i, anchor, part.shape, compose(at, part.at), at, True))
    for body in world.attached:
        assert body.link is not None
        anchor, at = arm.links[body.link]
        frame = compose(at, body.pose)
        parts.append(placed(body.name, 0, anchor, body.part.shape, frame, frame, True))
    for body in world.obstacles:
        anchor, at = (0, body.pose) if body.motion is None else arm.others[body.name]
        parts.append(placed(body.name, 0, anchor, body.part.shape, at, at if body.motion else IDENTITY, False))
    for other in scene.others:
        for link, own in other.robot.links.items():
            name = f"{other.name}/{link}"
            anchor, at = arm.others[name]
            parts += [placed(name, i, anchor, part.shape, compose(at, part.at), at, False) for i, part in enumerate(own)]
    return parts


def _kind(step: dict[str, Any], place: str) -> str:
    kinds = [key for key in (*_TIMED, *_EVENTS) if key in step]
    if len(kinds) != 1:
        raise OutsideScope(f"{place}: a step with the keys {', '.join(sorted(step))}")
    known = set(kinds) | {"name", "link", "touches", "speed", "acceleration", "tcp_speed", "blend", "tolerance", "free", "tilt", "constraints"}
    for key in step:
        if key not in known:
            raise OutsideScope(f"{place}: the key {key} of a step")
    if "constraints" in step and kinds[0] not in _TIMED:
        raise OutsideScope(f"{place}: constraints of a step that is no motion")
    if _moves_joints(step):
        raise OutsideScope(f"{place}: an event that moves joints")
    return kinds[0]


def _moves_joints(event: dict[str, Any]) -> bool:
    return isinstance(event.get("set"), dict) and "joints" in event["set"]


def tcp_link(scene: Scene) -> str:
    """The link of the tool center point: as stated; otherwise the end of the robot."""
    if scene.tcp.get("link") is not None:
        link = fields.text(scene.tcp["link"], "tcp.link")
        if link not in scene.robot.links:
            raise BadInput(f"tcp.link: there is no link {link!r}")
        return link
    return end_of(scene.robot, scene.planned)


def worlds_of(scene: Scene, arm: Arm, motion: Trajectory, pieces: list[Piece], begin: float, end: float) -> list[World]:
    """The worlds of a program in the order of time, without those that last no time; the last one in any case.

    The segments and events of the motion must be those of the steps. @param begin time at which the motion begins, lead-in
    included @param end time at which it has ended and all else is at rest
    """
    steps = scene.steps
    world = World(begin, end, scene.obstacles, scene.attached, scene.allow)
    if steps is None:
        if any(_moves_joints(event) or key in event for event in motion.events or [] for key in _EVENTS if key != "set"):
            raise NotProved("the motion changes its scene, but the scene has no steps")
        return [world._replace(start=0.0)]
    first = motion.points[0].time
    if first is None:
        raise NotProved("the motion has no times: it does not carry out a program")
    kinds = [_kind(step, f"steps[{i}]") for i, step in enumerate(steps)]
    ends = _segment_ends(steps, kinds, motion, first)
    events = iter(_events(steps, kinds, motion, ends, first, tcp_link(scene) if "attach" in kinds else ""))
    worlds: list[World] = []
    for i, (step, kind) in enumerate(zip(steps, kinds)):
        if kind in _TIMED:
            continue
        event = next(events)
        if kind == "set":
            continue
        time = min(motion.end, max(first, _end_before(ends, i, first)))
        worlds.append(world._replace(end=time))
        world = _changed(world, scene, arm, pieces, step, event, time)._replace(start=time, end=end)
    worlds.append(world)
    return [one for k, one in enumerate(worlds) if one.end > one.start or k == len(worlds) - 1]


def _segment_ends(steps: list[dict[str, Any]], kinds: list[str], motion: Trajectory, first: float) -> list[tuple[int, float]]:
    """(step, end) of each segment; they must follow one another from the first point to the end."""
    timed = [i for i, kind in enumerate(kinds) if kind in _TIMED]
    segments = motion.segments or []
    if len(segments) != len(timed):
        raise NotProved(f"the motion has {len(segments)} segments instead of {len(timed)}")
    end = first
    found: list[tuple[int, float]] = []
    for k, (segment, i) in enumerate(zip(segments, timed)):
        low, high = (fields.number(segment.get(key), f"segments[{k}].{key}") for key in ("from", "to"))
        stated = segment.get("step"), segment.get("kind"), segment.get("name")
        if stated != (i, kinds[i], steps[i].get("name")):
            raise NotProved(f"segments[{k}] is not that of step {i}")
        if not (abs(low - end) <= TIME_TOLERANCE and high >= low):
            raise NotProved(f"segments[{k}] is from {low} to {high}, the one before it ends at {end}")
        end = high
        found.append((i, high))
    if not abs(end - motion.end) <= TIME_TOLERANCE:
        raise NotProved(f"the segments end at {end}, the motion at {motion.end}")
    # Times that are off by rounding: the segments divide the motion, so that nothing of it is in a gap between two.
    closed, low = [], first
    for k, (i, high) in enumerate(found):
        low = max(low, high if k + 1 < len(found) else motion.end)
        closed.append((i, low))
    return closed


def step_constraints(scene: Scene, motion: Trajectory) -> list[tuple[str, Any, tuple[float, float]]]:
    """Place, constraints and span of each step that has constraints; the motion is that of the steps (`worlds_of`)."""
    steps, first = scene.steps or [], motion.points[0].time
    if first is None or not any("constraints" in step for step in steps):
        return []
    found, low = [], first
    for i, high in _segment_ends(steps, [_kind(step, f"steps[{i}]") for i, step in enumerate(steps)], motion, first):
        if "constraints" in steps[i]:
            found.append((f"steps[{i}].constraints", steps[i]["constraints"], (low, high)))
        low = high
    return found


def _end_before(ends: list[tuple[int, float]], step: int, first: float) -> float:
    return next((end for i, end in reversed(ends) if i < step), first)


def _events(
    steps: list[dict[str, Any]], kinds: list[str], motion: Trajectory, ends: list[tuple[int, float]], first: float, tcp_link: str
) -> list[dict[str, Any]]:
    """The events of the motion, which must be those of the steps, each at the end of the segment before it."""
    instant = [i for i, kind in enumerate(kinds) if kind in _EVENTS]
    events = motion.events or []
    if len(events) != len(instant):
        raise NotProved(f"the motion has {len(events)} events instead of {len(instant)}")
    for k, (event, i) in enumerate(zip(events, instant)):
        step, kind = steps[i], kinds[i]
        time = fields.number(event.get("time"), f"events[{k}].time")
        wanted = {"step": i, "time": event["time"], kind: step[kind]}
        if kind == "attach":
            wanted["link"] = step.get("link", tcp_link)
        if not _same(event, wanted) or not abs(time - _end_before(ends, i, first)) <= TIME_TOLERANCE:
            raise NotProved(f"events[{k}] is not that of step {i}, or at another time")
    return events


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _changed(world: World, scene: Scene, arm: Arm, pieces: list[Piece], step: dict[str, Any], event: dict[str, Any], time: float) -> World:
    """The world after an event. Objects stay where they are when they are attached and detached."""
    kind = next(key for key in _EVENTS if key in step)
    if kind in ("allow", "forbid"):
        pairs = [tuple(fields.texts(pair, kind)) for pair in step[kind]]
        for pair in pairs:
            if len(pair) != 2 or not set(pair) <= set(scene.names):
                raise BadInput(f"{kind}: {pair} are not two links or objects")
        if kind == "allow":
            return world._replace(allow=[*world.allow, *pairs])  # type: ignore[list-item]
        revoked = {frozenset(pair) for pair in pairs}
        kept = [[other for other in body.touches if frozenset((body.name, other)) not in revoked] for body in world.attached]
        attached = [body._replace(touches=touches) for body, touches in zip(world.attached, kept)]
        return world._replace(attached=attached, allow=[pair for pair in world.allow if frozenset(pair) not in revoked])
    source = world.obstacles if kind == "attach" else world.attached
    name = fields.text(step[kind], kind)
    body = next((one for one in source if one.name == name), None)
    if body is None:
        raise BadInput(f"{kind}: there is no such object {name!r} then")
    poses = at_time(arm, pieces, Fraction(time))
    if kind == "attach":
        link = event["link"]
        if link not in arm.links:
            raise BadInput(f"attach: there is no link {link!r}")
        if body.part.shape.plane is not None:
            raise OutsideScope(f"attach {name!r}: a half-space that a link carries")
        if body.motion is not None:
            if time < body.motion.rests_from:
                raise NotProved(f"attach {name!r}: it moves until {body.motion.rests_from}")
            body = body._replace(pose=body.motion.last, motion=None)
        touches = fields.texts(step.get("touches", []), "touches")
        for other in touches:
            if other not in scene.names:
                raise BadInput(f"touches: there is no link or object {other!r}")
        anchor, at = arm.links[link]
        carried = body._replace(pose=compose(inverse(compose(poses[anchor], at)), body.pose), link=link, touches=touches)
        rest = [one for one in world.obstacles if one.name != name]
        return world._replace(obstacles=rest, attached=[*world.attached, carried])
    assert body.link is not None
    anchor, at = arm.links[body.link]
    freed = body._replace(pose=compose(compose(poses[anchor], at), body.pose), link=None, touches=[])
    rest = [one for one in world.attached if one is not body]
    return world._replace(obstacles=[*world.obstacles, freed], attached=rest)

