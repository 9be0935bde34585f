"""Changes of the scene of a session; other sessions do not see them."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence

from . import arrays
from .gate import Gate, answer_of
from .link import Link
from .results import Objects


class Scene:
    """
    Poses: `xyz` in metres, and `rpy` in rad (fixed axes) or `quat_wxyz`. `now`: the time at which the gates of the session
    see the change, by default that of the clock of the newest one.
    """

    def __init__(self, link: Link, gates: List[Gate]) -> None:
        self._link = link
        self._gates = gates

    def add(
        self,
        name: str,
        type: str,
        *,
        xyz: Optional[Sequence[float]] = None,
        rpy: Optional[Sequence[float]] = None,
        quat_wxyz: Optional[Sequence[float]] = None,
        link: Optional[str] = None,
        touches: Optional[Sequence[str]] = None,
        replace: bool = False,
        now: Optional[float] = None,
        **shape: Any,
    ) -> Objects:
        """
        Adds an obstacle or, with `link`, an attached object: ``add("crate", "box", size=[0.2, 0.2, 0.1], xyz=[…])``. With
        `replace` it takes the place of an object of its name, if there is one.
        """
        pose = _pose(xyz, rpy, quat_wxyz)
        body = _given({"type": type, "name": name, **shape, "pose": pose, "link": link, "touches": touches})
        return self._call("scene.add", now, body=body, replace=replace)

    def add_cloud(
        self,
        name: str,
        points: Any,
        radius: float,
        *,
        xyz: Optional[Sequence[float]] = None,
        rpy: Optional[Sequence[float]] = None,
        quat_wxyz: Optional[Sequence[float]] = None,
        link: Optional[str] = None,
        touches: Optional[Sequence[str]] = None,
        replace: bool = False,
        now: Optional[float] = None,
    ) -> Objects:
        """
        Adds a point cloud, a sphere of `radius` (metres) about each point: an array [n, 3], numpy or nested lists. Points
        that are not finite are skipped, with a warning. With `replace` it takes the place of an object of its name.
        """
        pose = _pose(xyz, rpy, quat_wxyz)
        body = _given({"type": "cloud", "name": name, "radius": radius, "pose": pose, "link": link, "touches": touches})
        count, data = arrays.pack(points, (3,), "points")
        params = {"body": body, "replace": replace, **self._seen(now)}
        result, _ = self._link.call("scene.add", params, ({"points": [count, 3]}, data))
        return _objects(result)

    def move(
        self,
        name: str,
        xyz: Optional[Sequence[float]] = None,
        rpy: Optional[Sequence[float]] = None,
        quat_wxyz: Optional[Sequence[float]] = None,
        *,
        now: Optional[float] = None,
    ) -> Objects:
        """Moves an obstacle in the world, or an attached object on its link."""
        return self._call("scene.move", now, name=name, pose=_pose(xyz, rpy, quat_wxyz) or {})

    def remove(self, name: str, *, now: Optional[float] = None) -> Objects:
        """Removes an obstacle or attached object."""
        return self._call("scene.remove", now, name=name)

    def attach(
        self,
        name: str,
        link: str,
        *,
        q: Optional[Sequence[float]] = None,
        xyz: Optional[Sequence[float]] = None,
        rpy: Optional[Sequence[float]] = None,
        quat_wxyz: Optional[Sequence[float]] = None,
        touches: Optional[Sequence[str]] = None,
        now: Optional[float] = None,
    ) -> Objects:
        """Attaches an obstacle to a link: at a pose on the link, or where it is when the robot is at `q`."""
        pose = _pose(xyz, rpy, quat_wxyz)
        return self._call("scene.attach", now, **_given({"name": name, "link": link, "q": q, "pose": pose, "touches": touches}))

    def detach(
        self,
        name: str,
        *,
        q: Optional[Sequence[float]] = None,
        xyz: Optional[Sequence[float]] = None,
        rpy: Optional[Sequence[float]] = None,
        quat_wxyz: Optional[Sequence[float]] = None,
        now: Optional[float] = None,
    ) -> Objects:
        """Detaches an object: at a pose in the world, or where it is when the robot is at `q`."""
        return self._call("scene.detach", now, **_given({"name": name, "q": q, "pose": _pose(xyz, rpy, quat_wxyz)}))

    def reset(self, *, now: Optional[float] = None) -> Objects:
        """Restores the scene with which the session began."""
        return self._call("scene.reset", now)

    def _call(self, method: str, now: Optional[float], **params: Any) -> Objects:
        result, _ = self._link.call(method, {**params, **self._seen(now)})
        return _objects(result)

    def _seen(self, now: Optional[float]) -> Dict[str, float]:
        """The parameter of the time at which gates see a change; none if it is not known."""
        if now is None and self._gates:
            now = self._gates[-1].clock()
        return {} if now is None else {"now": float(now)}


def _objects(result: Any) -> Objects:
    gates = {one["gate"]: answer_of(one) for one in result.get("gates", [])}
    return Objects(result["obstacles"], result["attached"], result.get("warnings", []), gates)


def _pose(xyz: Any, rpy: Any, quat_wxyz: Any) -> Optional[Dict[str, Any]]:
    return _given({"xyz": xyz, "rpy": rpy, "quat_wxyz": quat_wxyz}) or None


def _given(fields: Dict[str, Any]) -> Dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}
