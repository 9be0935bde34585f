"""The whole check: a certificate, a scene, a trajectory."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from . import fields
from .arithmetic import ONE
from .constraints import prove_constraints
from .json_text import parse, read_text
from .motion import Trajectory, in_order, kind_of, pieces_of, read_trajectory, with_lead_in
from .outcome import BadInput, NotProved, OutsideScope
from .pairs import allowed_pairs, check_spans, required_pairs
from .planes import Prover
from .program import World, parts_of, step_constraints, worlds_of
from .relative import Arm, Placed, sizes_of
from .scene import Scene, read_scene

#: Reasons that are reported at most.
MAX_PROBLEMS = 10

Pair = tuple[str, int, str, int, list[list[float]]]


class Report(NamedTuple):
    proved: bool
    pairs: int
    spans: int
    #: A proved lower bound on the distance of every pair, metres, rounded down; None if not proved.
    least_gap: Optional[float]
    problems: list[str]
    #: Pairs that no certificate covers, [a, b, reason].
    unchecked: list[tuple[str, str, str]]
    #: Hashes of the scene if it is a resolved one.
    scene_hash: Optional[str]
    robot_hash: Optional[str]


def _pairs(given: Any, place: str) -> list[Pair]:
    found: list[Pair] = []
    for i, pair in enumerate(fields.items(given, f"{place}pairs")):
        at = f"{place}pairs[{i}]"
        fields.known_keys(pair, ("a", "partA", "b", "partB", "spans"), at)
        indices = [fields.number(pair.get(key), f"{at}.{key}") for key in ("partA", "partB")]
        if not all(index.is_integer() and index >= 0 for index in indices):
            raise BadInput(f"{at}: partA and partB must be whole numbers")
        if not isinstance(pair.get("spans"), list):
            raise BadInput(f"{at}.spans: it must be a list")
        spans = [fields.numbers(span, 5, f"{at}.spans[{k}]") for k, span in enumerate(pair["spans"])]
        a, b = fields.text(pair.get("a"), f"{at}.a"), fields.text(pair.get("b"), f"{at}.b")
        found.append((a, int(indices[0]), b, int(indices[1]), spans))
    return found


class Certificate(NamedTuple):
    trajectory: str
    duration: float
    interpolation: Optional[str]
    scene_hash: Optional[str]
    robot_hash: Optional[str]
    #: Pairs of a single motion, or (from, to, pairs) of each segment of a program.
    pairs: Optional[list[Pair]]
    segments: Optional[list[tuple[float, float, list[Pair]]]]

    def all_pairs(self) -> list[Pair]:
        return self.pairs or [pair for _, _, pairs in self.segments or [] for pair in pairs]


def read_certificate(path: str) -> Certificate:
    data = fields.record(parse(read_text(path), path), path)
    if data.get("format") == "elbowroom-coordination-certificate/1":
        raise OutsideScope(f"{path}: certificates of coordinations")
    if data.get("format") != "elbowroom-certificate/1":
        raise BadInput(f"{path}: its format is not elbowroom-certificate/1")
    for one in (data, *fields.items(data.get("segments", []), f"{path}: segments")):
        for key in ("torques", "stops"):
            if key in one:
                raise OutsideScope(f"{path}: proofs of {key}")
    keys = "format trajectory scene_hash robot_hash interpolation duration pairs segments".split()
    fields.known_keys(data, keys, path)
    if ("pairs" in data) == ("segments" in data):
        raise BadInput(f"{path}: it must have either pairs or segments")
    interpolation = data.get("interpolation")
    if interpolation not in (None, "linear", "cubic"):
        raise BadInput(f"{path}: interpolation: {interpolation!r}")
    hashes = [None if data.get(key) is None else fields.text(data[key], f"{path}: {key}") for key in ("scene_hash", "robot_hash")]
    segments = None
    if "segments" in data:
        segments = []
        for k, one in enumerate(fields.items(data["segments"], f"{path}: segments")):
            place = f"{path}: segments[{k}]."
            fields.known_keys(one, ("from", "to", "pairs"), place)
            low, high = (fields.number(one.get(key), f"{place}{key}") for key in ("from", "to"))
            segments.append((low, high, _pairs(one.get("pairs"), place)))
    digest, duration = fields.text(data.get("trajectory"), f"{path}: trajectory"), fields.number(data.get("duration"), f"{path}: duration")
    pairs = None if "pairs" not in data else _pairs(data["pairs"], f"{path}: ")
    return Certificate(digest, duration, interpolation, hashes[0], hashes[1], pairs, segments)


def verify(certificate_path: str, scene_path: str, trajectory_path: str, any_start: bool = False) -> Report:
    """Raises `BadInput` and `OutsideScope`; otherwise says whether the certificate proves the motion.

    @param any_start the robot is at the first point of the trajectory, wherever that is
    """
    certificate = read_certificate(certificate_path)
    scene = read_scene(scene_path)
    spans = sum(len(pair[4]) for pair in certificate.all_pairs())
    count = len(certificate.all_pairs())
    unchecked: list[tuple[str, str, str]] = []
    problems: list[str] = []
    least: Optional[int] = None
    try:
        trajectory = read_trajectory(trajectory_path)
        _require_binding(certificate, scene, trajectory)
        least = _prove(certificate, scene, trajectory, any_start, problems, unchecked)
    except NotProved as problem:
        problems.append(str(problem))
    proved = not problems
    gap = None if not proved or least is None else _rounded_down(least)
    return Report(proved, count, spans, gap, problems[:MAX_PROBLEMS], unchecked, scene.scene_hash, scene.robot_hash)


def _rounded_down(units: int) -> float:
    """A double that is not greater: 52 leading bits, cut."""
    excess = max(0, units.bit_length() - 52)
    return (units >> excess << excess) / ONE


def _require_binding(certificate: Certificate, scene: Scene, trajectory: Trajectory) -> None:
    """The certificate must be that of this motion, and of this scene and robot if both state their hashes."""
    if certificate.trajectory != trajectory.digest:
        raise NotProved("it is the certificate of another motion: the hashes differ")
    for key in ("robot_hash", "scene_hash"):
        stated, actual = getattr(certificate, key), getattr(scene, key)
        if stated is not None and actual is not None and stated != actual:
            raise NotProved(f"it is the certificate of another {key[:5]}: the hashes differ")
    end = max(trajectory.end, scene.rests_from)
    if certificate.duration != end:
        raise NotProved(f"its duration is {certificate.duration}, that of the motion and all else is {end}")
    if scene.rests_from > 0 and not trajectory.is_timed:
        raise NotProved("a motion without times among what moves")
    if certificate.interpolation is not None:
        points = trajectory.points
        if any(kind_of(a, b, trajectory) != certificate.interpolation for a, b in zip(points, points[1:])):
            raise NotProved(f"its interpolation is {certificate.interpolation}, that of the motion is another")
    if (certificate.segments is None) != (scene.steps is None):
        raise NotProved("the certificate is that of a program and the scene has no steps, or the reverse")


def _prove(
    certificate: Certificate, scene: Scene, trajectory: Trajectory, any_start: bool, problems: list[str], unchecked: list[tuple[str, str, str]]
) -> Optional[int]:
    """Appends a problem for each pair that is not proved. Returns the least gap of all pairs, in units."""
    if not any(parts for parts in scene.robot.links.values()):
        raise OutsideScope("a robot without collision geometry")
    continuous = {joint.name for joint in scene.robot.joints if joint.kind == "continuous"}
    motion = in_order(trajectory, scene.planned)
    covered = with_lead_in(motion, None if any_start else scene.start, [name in continuous for name in scene.planned])
    moving = [body.motion.course for body in scene.obstacles if body.motion]
    pieces = pieces_of(covered, [*(other.course for other in scene.others if other.course), *moving], scene.rests_from)
    arm = Arm(scene)
    begin = 0.0 if scene.rests_from > 0 else covered.points[0].time or 0.0
    worlds = worlds_of(scene, arm, motion, pieces, begin, certificate.duration)
    given = certificate.segments
    if given is None:
        given = [(0.0, certificate.duration, certificate.pairs or [])]
    if len(given) != len(worlds):
        raise NotProved(f"it has {len(given)} segments, the events divide the motion into {len(worlds)}")
    all_of = [("constraints", scene.constraints, (float(pieces[0].start), float(pieces[-1].end)))]
    for place, stated, span in [*all_of, *step_constraints(scene, motion)]:
        try:
            prove_constraints(stated, place, scene, arm, pieces, motion.is_timed, span)
        except NotProved as problem:
            problems.append(str(problem))
    least: Optional[int] = None
    for k, (world, (low, high, pairs)) in enumerate(zip(worlds, given)):
        place = f"segments[{k}]: " if certificate.segments is not None else ""
        if (low, high) != (world.start, world.end):
            raise NotProved(f"{place}it is from {low} to {high}, the events are at {world.start} and {world.end}")
        parts = parts_of(arm, scene, world)
        allowed = allowed_pairs(scene.robot, world.attached, world.allow)
        _note_unchecked(parts, allowed, unchecked)
        prover = Prover(arm, pieces, sizes_of(arm, parts), scene.padding)
        found = _listed(pairs, parts, scene, world, place)
        listed = {frozenset(((a.name, a.index), (b.name, b.index))) for a, b, _ in found}
        for a, b in required_pairs(parts, allowed):
            if frozenset(((a.name, a.index), (b.name, b.index))) not in listed:
                problems.append(f"{place}{a.name} (part {a.index}) and {b.name} (part {b.index}): the pair is missing")
        for a, b, spans in found:
            if len(problems) >= MAX_PROBLEMS:
                return None
            try:
                check_spans(spans, world.start, world.end)
                for start, end, x, y, z in spans:
                    prover.prove_span(a, b, start, end, (x, y, z))
            except NotProved as problem:
                problems.append(f"{place}{a.name} (part {a.index}) and {b.name} (part {b.index}): {problem}")
        if prover.least is not None:
            least = prover.least if least is None else min(least, prover.least)
    return least


def _listed(pairs: list[Pair], parts: list[Placed], scene: Scene, world: World, place: str) -> list[tuple[Placed, Placed, list[list[float]]]]:
    """The parts that the certificate names. A part that a decomposition may have made is outside the scope."""
    named = {(part.name, part.index): part for part in parts}
    found = []
    for name_a, index_a, name_b, index_b, spans in pairs:
        for name, index in ((name_a, index_a), (name_b, index_b)):
            if (name, index) not in named:
                if name in scene.decomposed:
                    raise OutsideScope(f"{name}: a convex decomposition with several parts")
                raise NotProved(f"{place}{name} (part {index}): the scene has no such part")
        a, b = named[(name_a, index_a)], named[(name_b, index_b)]
        if not a.is_link or a.name == b.name:
            raise NotProved(f"{place}{name_a} and {name_b}: the first must be a link or an attached object, the second another")
        found.append((a, b, spans))
    return found


def _note_unchecked(parts: list[Placed], allowed: dict[frozenset[str], str], unchecked: list[tuple[str, str, str]]) -> None:
    """Notes allowed pairs of which one is a link or an attached object, and both have geometry."""
    links = {part.name for part in parts if part.is_link}
    names = {part.name for part in parts}
    for pair, reason in allowed.items():
        if len(pair) == 2 and pair <= names and pair & links:
            a, b = sorted(pair)
            if not any((a, b) == (x, y) for x, y, _ in unchecked):
                unchecked.append((a, b, reason or "unstated"))
