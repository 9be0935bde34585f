"""Gates: they judge proposed motions while the robot moves."""

from __future__ import annotations

import bisect
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional

from . import arrays
from .link import Link
from .results import Pair, pair_of

Clock = Callable[[], float]


@dataclass(frozen=True)
class Committed:
    """A motion of cubics through points, which ends at rest. It replaces the one before from `start` on, seconds."""

    start: float
    times: Any
    positions: Any
    velocities: Any

    def at(self, t: float) -> List[float]:
        """Joint values at a time; those of the first and the last point before and after them."""
        times = self.times
        k = max(0, bisect.bisect_right(times, t) - 1)
        if t <= times[0] or k == len(times) - 1:
            return [float(x) for x in self.positions[k]]
        span = times[k + 1] - times[k]
        s = (t - times[k]) / span
        a, b = (1 + 2 * s) * (1 - s) ** 2, s * s * (3 - 2 * s)
        c, d = s * (1 - s) ** 2 * span, s * s * (s - 1) * span
        columns = zip(self.positions[k], self.velocities[k], self.positions[k + 1], self.velocities[k + 1])
        return [float(a * p + c * v + b * q + d * w) for p, v, q, w in columns]


@dataclass(frozen=True)
class GateAnswer:
    """
    `verdict`: accepted, slowed, trimmed, refused, held, stopping or unavoidable (docs/gate.md). `until`: end of the
    committed motion, at rest. `committed`: what the controller executes from now on, None if it is the same as before.
    """

    verdict: str
    until: float
    moves_until: Optional[float] = None
    pair: Optional[Pair] = None
    reason: str = ""
    contact: Optional[Mapping[str, Any]] = None
    committed: Optional[Committed] = None

    def __bool__(self) -> bool:
        """True if all of the proposal was committed, or the committed motion stands."""
        return self.verdict in ("accepted", "slowed", "held")


class Gate:
    """
    A gate of a session. Times are seconds on its clock, on which the robot is at rest at the start of the scene at time
    0; `now` is the time of a message, by default that of the clock. Use it in a `with` block, or call `close`.
    """

    def __init__(self, link: Link, dof: int, options: Mapping[str, Any], clock: Optional[Clock], gates: List["Gate"]) -> None:
        result, _ = link.call("gate.open", options)
        begin = time.monotonic()
        self.clock: Clock = clock or (lambda: time.monotonic() - begin)
        self.id: int = result["gate"]
        self.warnings: List[str] = result.get("warnings", [])
        self._link = link
        self.dof = dof
        self._gates = gates
        gates.append(self)

    def propose(self, times: Any, positions: Any, velocities: Any = None, *, now: Optional[float] = None) -> GateAnswer:
        """
        Proposes a motion, which replaces the committed one from its first time on if it is certified: `times` [n],
        `positions` and `velocities` [n, joints], numpy or nested lists. Without velocities: with continuous accelerations.
        """
        columns = [positions] if velocities is None else [positions, velocities]
        if any(len(values) != len(times) for values in columns):
            lengths = ", ".join(str(len(values)) for values in columns)
            raise ValueError(f"{len(times)} times, but {lengths} positions and velocities")
        rows = [[t, *(value for row in point for value in row)] for t, *point in zip(times, *columns)]
        count, data = arrays.pack(rows, (1 + self.dof * len(columns),), "points")
        shape = [count, 1 + self.dof * len(columns)]
        return self._call("gate.propose", {"now": self._time(now)}, ({"points": shape}, data))

    def tick(self, q: Any = None, *, now: Optional[float] = None) -> GateAnswer:
        """Advances the time. `q`: measured joint values, if the scene states tracking."""
        measured = {} if q is None else {"q": arrays.vector(q)}
        return self._call("gate.tick", {"now": self._time(now), **measured})

    def state(self) -> Committed:
        """The committed motion."""
        result, _ = self._link.call("gate.state", {"gate": self.id})
        return _committed(result["committed"])

    def close(self) -> None:
        """Closes the gate; the committed motion ends at rest."""
        if self in self._gates:
            self._gates.remove(self)
            self._link.call("gate.close", {"gate": self.id})

    def _time(self, now: Optional[float]) -> float:
        return float(self.clock() if now is None else now)

    def _call(self, method: str, params: Dict[str, Any], points: Any = None) -> GateAnswer:
        result, found = self._link.call(method, {"gate": self.id, **params}, points)
        return answer_of(result, found.get("committed"))

    def __enter__(self) -> "Gate":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._link.is_open:
            self.close()


def answer_of(result: Mapping[str, Any], rows: Any = None) -> GateAnswer:
    """Reads an answer. @param rows of a binary frame: time, positions and velocities of the committed points"""
    given = result.get("committed")
    committed = None
    if given is not None and rows is None:
        committed = _committed(given)
    elif given is not None:
        dof = (len(rows[0]) - 1) // 2
        if arrays.numpy is not None:
            committed = Committed(given["from"], rows[:, 0], rows[:, 1 : 1 + dof], rows[:, 1 + dof :])
        else:
            parts = [row[0] for row in rows], [row[1 : 1 + dof] for row in rows], [row[1 + dof :] for row in rows]
            committed = Committed(given["from"], *parts)
    return GateAnswer(
        result["verdict"],
        result["until"],
        result.get("moves_until"),
        pair_of(result.get("pair")),
        result.get("reason", ""),
        result.get("contact"),
        committed,
    )


def _committed(given: Mapping[str, Any]) -> Committed:
    columns = [[point[key] for point in given["points"]] for key in ("time", "positions", "velocities")]
    return Committed(given["from"], *(arrays.numpy.array(c) if arrays.numpy is not None else c for c in columns))
