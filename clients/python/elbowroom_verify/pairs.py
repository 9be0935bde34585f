"""Which pairs must be separated: all parts of different links and objects, of which one belongs to the robot, unless the
pair is allowed (docs/robots.md, docs/scenes.md)."""

from __future__ import annotations

from typing import Callable, Optional

from .outcome import NotProved
from .relative import Placed
from .robot import Robot
from .scene import Body

#: Allowed pairs of names, each with its reason.
Allowed = dict[frozenset[str], str]


def _nearest(robot: Robot, passes: Callable[[str], bool]) -> dict[str, Optional[str]]:
    """For each link the nearest one with geometry: itself or above, over joints whose type passes."""
    above = {joint.child: joint.parent for joint in robot.joints if passes(joint.kind)}
    found: dict[str, Optional[str]] = {}
    for name in robot.links:
        at: Optional[str] = name
        while at is not None and not robot.links[at]:
            at = above.get(at)
        found[name] = at
    return found


def allowed_pairs(robot: Robot, attached: list[Body], allow: list[tuple[str, str]]) -> Allowed:
    """Adjacent links (links without geometry are skipped) except enabled pairs; disabled pairs of the SRDF; each attached
    object with its link, with the nearest link with geometry that is rigidly above it, and with what it touches; and the
    pairs of the scene."""
    allowed: Allowed = {}

    def add(a: str, b: str, reason: str) -> None:
        allowed.setdefault(frozenset((a, b)), reason)

    solid = _nearest(robot, lambda kind: True)
    rigid = _nearest(robot, lambda kind: kind == "fixed")
    enabled = {frozenset(pair) for pair in robot.enabled}
    for joint in robot.joints:
        above = solid[joint.parent]
        if above is not None and robot.links[joint.child] and frozenset((above, joint.child)) not in enabled:
            add(above, joint.child, "Adjacent")
    for a, b, reason in robot.disabled:
        add(a, b, reason)
    for body in attached:
        assert body.link is not None
        add(body.name, body.link, "attached")
        near = rigid[body.link]
        if near is not None:
            add(body.name, near, "attached")
        for other in body.touches:
            add(body.name, other, "touches")
    for a, b in allow:
        add(a, b, "allow")
    return allowed


def required_pairs(parts: list[Placed], allowed: Allowed) -> list[tuple[Placed, Placed]]:
    """@param parts of links and attached objects (`is_link`) first, then of obstacles"""
    return [
        (a, b)
        for i, a in enumerate(parts)
        if a.is_link
        for b in parts[i + 1 :]
        if a.name != b.name and frozenset((a.name, b.name)) not in allowed
    ]


def check_spans(spans: list[list[float]], start: float, end: float) -> None:
    """Raises `NotProved` unless the spans, in ascending order, cover [start, end] and stay in it. Times are doubles, whose
    comparisons are exact."""
    if not spans:
        raise NotProved("it has no spans")
    covered = start
    for low, high, *_ in spans:
        if not start <= low <= high <= end:
            raise NotProved(f"a span from {low} to {high}, the motion is from {start} to {end}")
        if low > covered:
            raise NotProved(f"a hole from {covered} to {low}")
        covered = max(covered, high)
    if covered < end:
        raise NotProved(f"a hole from {covered} to {end}")
