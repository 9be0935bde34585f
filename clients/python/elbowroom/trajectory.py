"""Timed motions and paths."""

from __future__ import annotations

import html
import json
from bisect import bisect_right
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import arrays


class Trajectory:
    """
    A trajectory, or a path if it has no times. Positions in rad or m, times in s. It keeps all fields of its file, so
    that `check`, `verify` and controllers receive what the planner wrote.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        for key in ("joint_names", "points"):
            if key not in data:
                raise ValueError(f'trajectory: "{key}" is missing')
        if not data["points"]:
            raise ValueError("trajectory: it has no points")
        self._data: Dict[str, Any] = dict(data)

    @classmethod
    def from_arrays(
        cls,
        joint_names: Sequence[str],
        positions: Any,
        times: Optional[Any] = None,
        velocities: Optional[Any] = None,
        accelerations: Optional[Any] = None,
    ) -> "Trajectory":
        """
        Creates a trajectory, or without `times` a path. It is executed as a joint trajectory controller does: linear,
        cubic with velocities, quintic with accelerations too.
        """
        points: List[Dict[str, Any]] = []
        columns = {"velocities": velocities, "accelerations": accelerations}
        for name, values in {"times": times, **columns}.items():
            if values is not None and len(values) != len(positions):
                raise ValueError(f"trajectory: {len(values)} {name} for {len(positions)} positions")
        for i, q in enumerate(positions):
            point: Dict[str, Any] = {} if times is None else {"time_from_start": float(times[i])}
            point["positions"] = arrays.vector(q)
            for name, values in columns.items():
                if values is not None:
                    point[name] = arrays.vector(values[i])
            points.append(point)
        return cls({"joint_names": list(joint_names), "points": points})

    @classmethod
    def load(cls, path: Union[str, Path]) -> "Trajectory":
        """Reads a trajectory that `save` or ``elbowroom plan -o FILE`` wrote (JSON)."""
        return cls(json.loads(Path(path).read_text(encoding="utf-8")))

    def save(self, path: Union[str, Path]) -> None:
        """Writes the JSON format, which ``elbowroom check`` reads."""
        Path(path).write_text(json.dumps(self._data) + "\n", encoding="utf-8")

    def to_dict(self) -> Dict[str, Any]:
        """The JSON object of the trajectory."""
        return self._data

    @property
    def joint_names(self) -> List[str]:
        return list(self._data["joint_names"])

    @property
    def is_path(self) -> bool:
        """True if it has no times, or not for every point."""
        return any(point.get("time_from_start") is None for point in self._data["points"])

    @property
    def times(self) -> Any:
        """Times of the points, s; of a path, their indices."""
        points = self._data["points"]
        return _array([float(i) if self.is_path else point["time_from_start"] for i, point in enumerate(points)])

    @property
    def positions(self) -> Any:
        """Positions of the points: [n, joints]."""
        return _array([point["positions"] for point in self._data["points"]])

    @property
    def velocities(self) -> Any:
        """Velocities of the points: [n, joints]; None if they are not stated."""
        points = self._data["points"]
        return _array([point["velocities"] for point in points]) if all(p.get("velocities") for p in points) else None

    @property
    def duration(self) -> float:
        """Seconds; of a path, the number of its segments."""
        return float(self.times[-1] - self.times[0])

    def at(self, time: float) -> List[float]:
        """Position at a time, as a joint trajectory controller interpolates; the nearest end outside."""
        points = self._data["points"]
        times = [float(value) for value in self.times]
        i = min(max(bisect_right(times, time) - 1, 0), max(len(points) - 2, 0))
        if len(points) == 1 or time <= times[0] or time >= times[-1]:
            return list(points[0 if time <= times[0] else -1]["positions"])
        a, b = points[i], points[i + 1]
        kind = "linear" if self.is_path else _kind(a, b, self._data.get("interpolation"))
        return _interpolated(a, b, times[i + 1] - times[i], time - times[i], kind)

    def sample(self, count: int = 100) -> Any:
        """Positions at `count` times, equally spaced from start to end: [count, joints]."""
        first, length = float(self.times[0]), self.duration
        return _array([self.at(first + length * i / max(1, count - 1)) for i in range(count)])

    def plot(self, ax: Any = None, count: int = 200) -> Any:
        """Plots joint positions over time with matplotlib, which must be installed. Returns the axes."""
        try:
            import matplotlib.pyplot as pyplot
        except ImportError as error:
            raise ImportError("Trajectory.plot needs matplotlib: pip install matplotlib") from error
        axes = ax if ax is not None else pyplot.subplots()[1]
        first, length = float(self.times[0]), self.duration
        times = [first + length * i / max(1, count - 1) for i in range(count)]
        rows = [self.at(time) for time in times]
        for k, name in enumerate(self.joint_names):
            axes.plot(times, [row[k] for row in rows], label=name)
        axes.set_xlabel("waypoint" if self.is_path else "time, s")
        axes.set_ylabel("position, rad or m")
        axes.legend(fontsize="small")
        return axes

    def __len__(self) -> int:
        return len(self._data["points"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trajectory) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        length = "path" if self.is_path else f"{self.duration:.3f} s"
        return f"<Trajectory {length}, {len(self)} points, {len(self.joint_names)} joints>"

    def _repr_html_(self) -> str:
        """Table of the joints for notebooks."""
        columns = list(zip(*(point["positions"] for point in self._data["points"])))
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td>"
            + "".join(f"<td>{value:.4g}</td>" for value in (column[0], min(column), max(column), column[-1]))
            + "</tr>"
            for name, column in zip(self.joint_names, columns)
        )
        head = "".join(f"<th>{text}</th>" for text in ("joint", "start", "minimum", "maximum", "end"))
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table><tr>{head}</tr>{rows}</table>"


def _kind(a: Mapping[str, Any], b: Mapping[str, Any], stated: Optional[str]) -> str:
    """Interpolation of a segment, as `check` and joint trajectory controllers choose it."""
    if stated == "linear" or not (a.get("velocities") and b.get("velocities")):
        return "linear"
    return "quintic" if stated != "cubic" and a.get("accelerations") and b.get("accelerations") else "cubic"


def _interpolated(a: Mapping[str, Any], b: Mapping[str, Any], h: float, t: float, kind: str) -> List[float]:
    """Polynomial of degree 1, 3 or 5 that matches the values of both ends; `h` is its duration."""
    result = []
    for k, (p, q) in enumerate(zip(a["positions"], b["positions"])):
        s = t / h
        if kind == "linear":
            result.append(p + s * (q - p))
            continue
        v, w = h * a["velocities"][k], h * b["velocities"][k]
        if kind == "cubic":
            result.append(p + s * (v + s * (3 * (q - p) - 2 * v - w + s * (2 * (p - q) + v + w))))
            continue
        c, d = h * h * a["accelerations"][k], h * h * b["accelerations"][k]
        e = 10 * (q - p) - 6 * v - 4 * w - 1.5 * c + 0.5 * d
        f = -15 * (q - p) + 8 * v + 7 * w + 1.5 * c - d
        g = 6 * (q - p) - 3 * v - 3 * w - 0.5 * c + 0.5 * d
        result.append(p + s * (v + s * (0.5 * c + s * (e + s * (f + s * g)))))
    return result


def _array(values: Sequence[Any]) -> Any:
    return values if arrays.numpy is None else arrays.numpy.asarray(values, dtype=float)
