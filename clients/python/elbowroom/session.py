"""Sessions of a service."""

from __future__ import annotations

import math
import os
import shutil
from pathlib import Path
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from . import arrays
from .errors import ConnectionLost
from .gate import Clock, Gate
from .link import Cancellation, Link, OnProgress
from .results import (
    Check,
    Clearance,
    Clearances,
    Dynamics,
    Joint,
    MotionValidity,
    Plan,
    Pose,
    Poses,
    Repair,
    Solutions,
    StateValidity,
    Verification,
    dynamics_of,
    pair_of,
)
from .scene import Scene
from .trajectory import Trajectory
from .transports import StdioTransport, Transport, UnixTransport, WebSocketTransport
from .watch import OnReport, Watch, Watches

AnyTrajectory = Union[Trajectory, Mapping[str, Any]]
JointValues = Union[Sequence[float], Mapping[str, float], str]
"""Joint values in the order of `joints`, by name, or the name of a state of the SRDF."""
Goal = Union[JointValues, Mapping[str, Any]]
"""Joint values, or a pose: {"xyz": [x, y, z], "rpy": […], "link": …, "tolerance": …}."""
Planner = Literal["rrt", "rrt-connect", "rrt-star", "informed-rrt-star", "bit-star", "prm", "lazy-prm", "library"]
Checker = Literal[
    "growth-distance",
    "gjk",
    "gjk-polyak",
    "gjk-polyak-printed",
    "gjk-nesterov",
    "gjk-nesterov-printed",
    "gjk-nesterov-unnormalized",
]
Edges = Literal["certified", "sampled"]

_FRAME_ROOM = 70_000
"""Bytes of a message that the prefix and the header of a frame may need."""


def start(
    scene: Union[str, Path], *options: str, command: Optional[Sequence[str]] = None
) -> "Session":
    """
    Starts a service of its own for a scene file and opens a session. `options` are those of ``elbowroom serve``, such as
    "--jobs", "2"; `command` starts elbowroom (default: that of the variable ELBOWROOM, of the clone from which this
    package was installed, or on PATH). The service ends with the session. Raises ConnectionLost with place and hint if the scene is wrong.
    """
    return Session(StdioTransport([*(command or _command()), "serve", str(scene), "--stdio", *options]))


def connect(address: str, token: Optional[str] = None) -> "Session":
    """Opens a session of a running service: a path or ``unix:PATH``, ``ws://HOST:PORT`` or ``http://HOST:PORT``."""
    if address.startswith(("ws:", "wss:", "http:", "https:")):
        return Session(WebSocketTransport(address, token))
    return Session(UnixTransport(address[5:] if address.startswith("unix:") else address))


def _at(t: Optional[float]) -> Dict[str, float]:
    """The parameter of a time; none if it is not given."""
    return {} if t is None else {"t": float(t)}


class Session:
    """
    One session: `scene` changes its scene, which other sessions do not see. A state is a sequence of numbers in the
    order of `joints` (rad, m). Threads may share a session; its requests are processed in order. Every method raises
    `ServiceError` for wrong parameters, `ConnectionLost` if the service ends. Use it in a `with` block.
    """

    def __init__(self, transport: Transport) -> None:
        self._link = Link(transport)
        self._watches = Watches(self._link)
        self._gates: List[Gate] = []
        self.scene = Scene(self._link, self._gates)
        try:
            about = self._call("describe", {})
        except BaseException:
            self._link.close()
            raise
        self.about: Dict[str, Any] = about
        self.joints = [Joint(j["name"], j["type"], j["lower"], j["upper"]) for j in about["joints"]]
        self.links: List[str] = about["links"]
        self.start: Optional[List[float]] = about["start"]
        self.goals: List[Dict[str, Any]] = about["goals"]
        self._limits: Dict[str, float] = about["limits"]

    @property
    def dof(self) -> int:
        """Number of planned joints: the length of a state."""
        return len(self.joints)

    @property
    def lower(self) -> List[float]:
        """Lower limits; -π for joints without limits."""
        return [-math.pi if joint.lower is None else joint.lower for joint in self.joints]

    @property
    def upper(self) -> List[float]:
        """Upper limits; π for joints without limits."""
        return [math.pi if joint.upper is None else joint.upper for joint in self.joints]

    def validate(self, states: Any, t: Any = None, start_tolerance: float = 0) -> Any:
        """
        True for each state that is within limits and proved collision-free: a bool for one state, an array of bool for
        many ([n, joints], numpy or nested lists). `t`: seconds, one time or one per state, for scenes that move. Joint values
        out of limits by at most `start_tolerance` (rad, m) are accepted, and checked as they are.
        """
        tolerance = {"start_tolerance": start_tolerance} if start_tolerance else {}
        many = arrays.is_batch(states) or len(states) == 0
        if t is not None:
            given = [arrays.vector(q) for q in states] if many else arrays.vector(states)
            times = {"t": float(t)} if not hasattr(t, "__len__") else {"times": arrays.vector(t)}
            found = self._call("validate", {"states" if many else "q": given, **times, **tolerance})["valid"]
            return arrays.booleans(found) if many else found
        if many:
            return arrays.booleans(self._many("validate", "states", states, (self.dof,), tolerance)["valid"])
        return self._call("validate", {"q": arrays.vector(states), **tolerance})["valid"]

    def validate_details(self, q: Sequence[float], t: Optional[float] = None) -> StateValidity:
        """
        Validity of one state, with the first pair in collision and the violated limits and constraints. `t`: seconds, for
        scenes that move.
        """
        result = self._call("validate", {"q": arrays.vector(q), "details": True, **_at(t)})
        pairs = [(a, b) for a, b in result["collisions"]]
        return StateValidity(result["valid"], pairs, result["limits"], result.get("constraints", []))

    def validate_motion(self, start: Sequence[float], end: Sequence[float]) -> MotionValidity:
        """Validity of a straight motion in joint space, proved at every instant, with its first contact."""
        ends = {"from": arrays.vector(start), "to": arrays.vector(end)}
        result = self._call("validate_motion", {**ends, "details": True})
        contact = result.get("contact")
        violated = (result["limits"], result.get("constraints", []))
        if contact is None:
            return MotionValidity(result["valid"], result["verdict"], *violated, free_until=float(result["valid"]))
        pair, free_until, time = pair_of(contact["pair"]), float(contact["free_until"]), float(contact["time"])
        return MotionValidity(result["valid"], result["verdict"], *violated, pair, free_until, time)

    def validate_motions(self, motions: Any) -> Any:
        """True for each straight motion that is certified at every instant. `motions`: [n, 2, joints]."""
        return arrays.booleans(self._many("validate_motion", "motions", motions, (2, self.dof))["valid"])

    def clearance(self, q: Sequence[float], gradient: bool = False, t: Optional[float] = None) -> Clearance:
        """Minimum distance of one state over all checked pairs. `t`: seconds, for scenes that move."""
        result = self._call("clearance", {"q": arrays.vector(q), "gradient": gradient, **_at(t)})
        distance = math.inf if result["distance"] is None else result["distance"]
        return Clearance(distance, pair_of(result["pair"]), result.get("gradient"), result.get("differentiable"))

    def clearances(self, states: Any, gradient: bool = False) -> Clearances:
        """Minimum distances of many states: [n, joints]."""
        found = self._many("clearance", "states", states, (self.dof,), {"gradient": gradient}, each=self.dof + 3)
        pairs = [None if i < 0 else pair_of(names[int(i)]) for names, i in found["pair"]]
        if not gradient:
            return Clearances(found["distance"], pairs)
        return Clearances(found["distance"], pairs, found["gradient"], arrays.booleans(found["differentiable"]))

    def fk(self, q: Sequence[float], links: Optional[Sequence[str]] = None) -> Dict[str, Pose]:
        """Poses of links in the world for one state; default: all links."""
        result = self._call("fk", _given({"q": arrays.vector(q), "links": links}))
        return {name: _pose(pose) for name, pose in result["links"].items()}

    def fk_many(self, states: Any, links: Optional[Sequence[str]] = None) -> Poses:
        """Poses of links in the world for many states: [n, joints] to [n, links, 7]."""
        chosen = len(links if links is not None else self.links)
        found = self._many("fk", "states", states, (self.dof,), _given({"links": links}), each=7 * chosen)
        return Poses(found["result"]["links"], found["poses"])

    def ik(
        self,
        xyz: Sequence[float],
        rpy: Optional[Sequence[float]] = None,
        quat_wxyz: Optional[Sequence[float]] = None,
        *,
        link: Optional[str] = None,
        tolerance: Optional[Mapping[str, Any]] = None,
        seed: Optional[int] = None,
        collision_free: bool = False,
        most: Optional[int] = None,
    ) -> Solutions:
        """Joint values that move a link (default: the tool center point) to a pose in the world."""
        pose = _given({"xyz": list(xyz), "rpy": rpy, "quat_wxyz": quat_wxyz})
        options = {"link": link, "tolerance": tolerance, "seed": seed, "most": most}
        result = self._call("ik", {"pose": pose, "collision_free": collision_free, **_given(options)})
        return Solutions(result["solutions"], result.get("reason", ""), result.get("warnings", []))

    def dynamics(self, q: Any, v: Any = None, a: Any = None, *, mass_matrix: bool = False) -> Dynamics:
        """
        Inverse dynamics of one state or of many ([n, joints], then all results have n rows): `v`, `a` velocities and
        accelerations, default 0. The loads are those of the scene of the session.
        """
        if not arrays.is_batch(q):
            given = {key: arrays.vector(row) for key, row in (("q", q), ("v", v), ("a", a)) if row is not None}
            return dynamics_of([self._call("dynamics", {**given, "mass_matrix": mass_matrix})], False)
        columns = {key: rows for key, rows in (("q", q), ("v", v), ("a", a)) if rows is not None}
        states = [{key: arrays.vector(rows[i]) for key, rows in columns.items()} for i in range(len(q))]
        return dynamics_of(self._call("dynamics", {"states": states, "mass_matrix": mass_matrix})["answers"], True)

    def query(
        self,
        pairs: Sequence[Mapping[str, Any]],
        *,
        solver: Optional[str] = None,
        what: Optional[str] = None,
        gap: Optional[float] = None,
        absolute_gap: Optional[float] = None,
        iterations: Optional[int] = None,
        guess: Optional[str] = None,
        warm: Optional[bool] = None,
    ) -> List[Dict[str, Any]]:
        """Status and quantities of pairs of convex shapes, as the lines of the command ``query``; no scene is used."""
        options = _given({"solver": solver, "what": what, "gap": gap, "absolute_gap": absolute_gap})
        options |= _given({"iterations": iterations, "guess": guess, "warm": warm})
        answers: List[Dict[str, Any]] = self._call("query", {"pairs": list(pairs), **options})["answers"]
        return answers

    def goal_states(self, most: int = 8) -> List[List[float]]:
        """Valid goal states of the scene, at most `most` for each goal that is a pose; empty if there is none."""
        states: List[List[float]] = []
        for goal in self.goals:
            if "q" in goal:
                states.append(goal["q"])
            else:
                states += self._call("ik", {"collision_free": True, "most": most, **goal})["solutions"]
        return [q for q, valid in zip(states, self.validate(states)) if valid] if states else []

    def plan(
        self,
        *,
        start: Optional[JointValues] = None,
        goal: Optional[Goal] = None,
        goals: Optional[Sequence[Goal]] = None,
        steps: Optional[Sequence[Mapping[str, Any]]] = None,
        planner: Optional[Planner] = None,
        planner_options: Optional[Mapping[str, float]] = None,
        checker: Optional[Checker] = None,
        edges: Optional[Edges] = None,
        seed: Optional[int] = None,
        time_limit: Optional[float] = None,
        iterations: Optional[int] = None,
        speed: Optional[float] = None,
        start_tolerance: Optional[float] = None,
        certificate: bool = False,
        optimize: bool = False,
        explain: bool = False,
        infeasible: bool = False,
        on_progress: Optional[OnProgress] = None,
        cancellation: Optional[Cancellation] = None,
        deadline: Optional[float] = None,
        **more: Any,
    ) -> Plan:
        """
        Plans a motion to `goal` or any one of `goals` or, with `steps`, a program (docs/serve.md). Default: start and
        goal of the scene. `time_limit`, `deadline` in seconds; `speed` scales the velocity limits, 0 to 1. A failure is
        a result, not an exception. `more`: parameters of the method `plan` of a newer service.
        """
        params = {
            **{"start": start, "goal": goal, "goals": goals, "steps": steps, "speed": speed, "seed": seed},
            **{"planner": planner, "planner_options": planner_options, "checker": checker, "edges": edges},
            **{"time_limit": time_limit, "iterations": iterations, "start_tolerance": start_tolerance},
            **{"certificate": certificate, "optimize": optimize, "explain": explain, "infeasible": infeasible or None},
            **more,
        }
        result = self._call("plan", _given(params), on_progress, cancellation, deadline)
        extra = (result.get("certificate"), result.get("explanation"), result.get("warnings", []))
        return Plan(result["status"], result["reason"], result["stats"], _trajectory(result), *extra)

    def check(
        self,
        trajectory: AnyTrajectory,
        certificate: bool = False,
        start_tolerance: float = 0,
        *,
        any_start: bool = False,
        stopping: bool = False,
        **options: Any,
    ) -> Check:
        """
        Is a trajectory collision-free over continuous time, and within its limits? Joint values out of limits by at
        most `start_tolerance` (rad, m) are accepted, and checked as they are. The motion from the start of the scene to
        a first point after time 0 counts, too; with `any_start`, the robot is at the first point. With `stopping`, the
        worst stops along the path are in `report`.
        """
        params = {
            "trajectory": _raw(trajectory),
            "certificate": certificate,
            "any_start": any_start,
            **({"stopping": True} if stopping else {}),
            **({"start_tolerance": start_tolerance} if start_tolerance else {}),
        }
        result = self._call("check", params, **options)
        return Check(result["valid"], result["faults"], result, result.get("certificate"))

    def verify(
        self,
        trajectory: Optional[AnyTrajectory],
        certificate: Mapping[str, Any],
        *,
        any_start: bool = False,
        **options: Any,
    ) -> Verification:
        """
        Does a certificate prove a trajectory? `any_start` as of `check`. With None as trajectory: is the certificate of
        status `infeasible` a proof that no motion exists?
        """
        own = {} if trajectory is None else {"trajectory": _raw(trajectory)}
        params = {**own, "certificate": certificate, "any_start": any_start}
        result = self._call("verify", params, **options)
        return Verification(result["proved"], result["problems"], result)

    def repair(
        self,
        trajectory: AnyTrajectory,
        *,
        keep_times: bool = False,
        limits_only: bool = False,
        any_start: bool = False,
        seed: Optional[int] = None,
        time_limit: Optional[float] = None,
        on_progress: Optional[OnProgress] = None,
        cancellation: Optional[Cancellation] = None,
        deadline: Optional[float] = None,
        **more: Any,
    ) -> Repair:
        """
        Changes a trajectory that `check` refuses as little as possible. `keep_times`: only the geometry may change;
        `limits_only`: only the times may change. `more`: parameters of the method `repair` of a newer service.
        """
        flags = {"keep_times": keep_times, "limits_only": limits_only, "any_start": any_start}
        given = {"trajectory": _raw(trajectory), **flags, **_given({"seed": seed, "time_limit": time_limit}), **more}
        result = self._call("repair", given, on_progress, cancellation, deadline)
        changed = [(first, last) for first, last in result["changed"]]
        return Repair(result["status"], result["reason"], changed, _trajectory(result), result.get("unchecked", {}))

    def recertify(self, trajectory: AnyTrajectory, certificate: Mapping[str, Any], **options: Any) -> Dict[str, Any]:
        """Is a trajectory still proved in the scene of the session? `status`: "proved", or why not."""
        given = {"trajectory": _raw(trajectory), "certificate": certificate}
        return dict(self._call("recertify", given, **options))

    def watch(
        self,
        trajectory: AnyTrajectory,
        certificate: Optional[Mapping[str, Any]] = None,
        replan: bool = False,
        on_report: Optional[OnReport] = None,
        time: float = 0,
        any_start: bool = False,
    ) -> Watch:
        """
        Watches a motion that has been executed up to `time`, seconds. After each change of the scene, a report states the time until which it
        is still proved; with `replan`, a new motion follows. `on_report(watch, report)` is called by the thread that receives it.
        `any_start`: the robot is at the first point, where it may be moving, as of a new motion that replaced a watched one.
        """
        given = {"trajectory": _raw(trajectory), "certificate": certificate, "replan": replan, "time": time}
        given["any_start"] = any_start
        return self._watches.start(_given(given), on_report)

    def gate(
        self, *, lead: Optional[float] = None, budget: Optional[int] = None, clock: Optional[Clock] = None
    ) -> Gate:
        """
        Opens a gate, which judges proposed motions while the robot moves (docs/gate.md). `lead`: seconds from a message until
        its motion begins, at least; `clock`: returns the time of a message, by default seconds since the gate was opened.
        """
        return Gate(self._link, self.dof, _given({"lead": lead, "budget": budget}), clock, self._gates)

    def call(self, method: str, params: Optional[Mapping[str, Any]] = None, **options: Any) -> Any:
        """Calls any method of the service. Options: `on_progress`, `cancellation`, `deadline`."""
        return self._call(method, params or {}, **options)

    def cancel(self) -> None:
        """Cancels all calls that wait, from another thread or a callback: they raise `Cancelled`."""
        self._link.cancel_all()

    def close(self) -> None:
        """Ends the session, and the service if `start` started it."""
        self._link.close()

    def __enter__(self) -> "Session":
        return self

    def __repr__(self) -> str:
        return f"<Session {self.about['robot']} in {self.about['scene']}, {self.dof} joints>"

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _call(
        self,
        method: str,
        params: Mapping[str, Any],
        on_progress: Optional[OnProgress] = None,
        cancellation: Optional[Cancellation] = None,
        deadline: Optional[float] = None,
    ) -> Any:
        result, _ = self._link.call(method, params, None, on_progress, cancellation, deadline)
        return result

    def _many(
        self,
        method: str,
        name: str,
        values: Any,
        item: Tuple[int, ...],
        params: Optional[Mapping[str, Any]] = None,
        each: int = 1,
    ) -> Dict[str, Any]:
        """Calls a method with one array, in as many frames as the limits require. @param each numbers per result"""
        count, data = arrays.pack(values, item, name)
        size = 8 * math.prod(item)
        limits = self._limits
        most = min(limits["states"], (limits["body"] - _FRAME_ROOM) // size, limits["answer"] // (8 * max(1, each)))
        parts: List[Dict[str, Any]] = []
        for first in range(0, max(1, count), max(1, int(most))):
            n = min(int(most), count - first)
            shapes = {name: [n, *item]}
            payload = data[first * size : (first + n) * size]
            result, found = self._link.call(method, params or {}, (shapes, payload))
            if any(len(values) != n for values in found.values()):
                raise ConnectionLost(f"{method}: the response is not for {n} items")
            if "pair" in found:
                found["pair"] = [(result["pairs"], i) for i in found["pair"]]
            parts.append({"result": result, **found})
        whole = {key: arrays.joined([part[key] for part in parts]) for key in parts[0] if key not in ("result", "pair")}
        pairs = [one for part in parts for one in part.get("pair", [])]
        return {**whole, "result": parts[0]["result"], "pair": pairs}


def _pose(given: Mapping[str, Any]) -> Pose:
    x, y, z = given["xyz"]
    qw, qx, qy, qz = given["quat_wxyz"]
    return Pose((x, y, z), (qw, qx, qy, qz))


def _raw(trajectory: AnyTrajectory) -> Mapping[str, Any]:
    return trajectory.to_dict() if isinstance(trajectory, Trajectory) else trajectory


def _trajectory(result: Mapping[str, Any]) -> Optional[Trajectory]:
    found = result.get("trajectory")
    return None if found is None else Trajectory(found)


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}


def _command() -> List[str]:
    """
    The command that starts elbowroom: that of the variable ELBOWROOM (a command, or the folder or program of a clone),
    of the clone or package that contains this file or from which it was installed, or on PATH.
    """
    own = os.environ.get("ELBOWROOM")
    if own:
        places = [Path(own), Path(own) / "bin" / "elbowroom.js"]
        found = next((str(place) for place in places if place.is_file()), shutil.which(own))
        if not found:
            raise ConnectionLost(f"ELBOWROOM is {own}: there is no such program", _INSTALL)
    else:
        record = Path(__file__).with_name("program.txt")
        recorded = Path(record.read_text(encoding="utf-8")) if record.is_file() else None
        clone = Path(__file__).resolve().parents[3] / "bin" / "elbowroom.js"
        found = next((str(place) for place in (clone, recorded) if place and place.is_file()), shutil.which("elbowroom"))
        if not found:
            gone = f"; the one from which this package was installed has gone: {recorded}" if recorded else ""
            raise ConnectionLost(f"there is no program elbowroom on PATH{gone}", _INSTALL)
    if not found.endswith(".js"):
        return [found]
    node = os.environ.get("NODE") or shutil.which("node")
    if not node:
        raise ConnectionLost("there is no program node on PATH", "Install Node 20.19 or newer, or set the variable NODE.")
    return [node, found]


_INSTALL = "Set the variable ELBOWROOM to the folder of a built clone or to the program: ELBOWROOM=…/bin/elbowroom.js"
