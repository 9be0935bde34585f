"""Results of the methods of a session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

from . import arrays
from .trajectory import Trajectory

Pair = Tuple[str, str]


@dataclass(frozen=True)
class Joint:
    """A planned joint. Limits in rad or m; None: no limit."""

    name: str
    type: str
    lower: Optional[float]
    upper: Optional[float]


@dataclass(frozen=True)
class Pose:
    """Position in metres, unit quaternion w, x, y, z."""

    xyz: Tuple[float, float, float]
    quat_wxyz: Tuple[float, float, float, float]


@dataclass(frozen=True, repr=False)
class Poses:
    """Poses of links for many states: `poses[i][k]` is x, y, z, w, x, y, z of `links[k]` for state i."""

    links: List[str]
    poses: Any

    def __repr__(self) -> str:
        return f"<Poses {len(self.poses)} states, {len(self.links)} links>"


@dataclass(frozen=True)
class StateValidity:
    """Validity of one state, with the first pair in collision and what is violated."""

    valid: bool
    collisions: List[Pair]
    limits: List[str]
    constraints: List[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return self.valid


@dataclass(frozen=True)
class MotionValidity:
    """Validity of one straight motion: certified until `free_until` (0 to 1), contact or undecided at `time`."""

    valid: bool
    verdict: str
    limits: List[str]
    constraints: List[str] = field(default_factory=list)
    pair: Optional[Pair] = None
    free_until: float = 1.0
    time: Optional[float] = None

    def __bool__(self) -> bool:
        return self.valid


@dataclass(frozen=True)
class Clearance:
    """Minimum distance in metres, negative in collision, infinite if no pair is checked; gradient in m/rad or m/m."""

    distance: float
    pair: Optional[Pair]
    gradient: Optional[List[float]] = None
    differentiable: Optional[bool] = None


@dataclass(frozen=True, repr=False)
class Clearances:
    """Clearances of many states."""

    distances: Any
    pairs: List[Optional[Pair]]
    gradients: Any = None
    differentiable: Any = None

    def __repr__(self) -> str:
        return f"<Clearances {len(self.distances)} states{'' if self.gradients is None else ', with gradients'}>"


@dataclass(frozen=True, repr=False)
class Solutions:
    """Solutions of inverse kinematics, the nearest to the start first; `reason` if there is none."""

    states: List[List[float]]
    reason: str = ""
    warnings: List[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, index: int) -> List[float]:
        return self.states[index]

    def __repr__(self) -> str:
        return f"<Solutions {len(self)}{_because(self.reason)}>"


@dataclass(frozen=True, repr=False)
class Plan:
    """Result of planning: a trajectory if and only if `status` is "solved"; otherwise `reason` states why."""

    status: str
    reason: str
    stats: Dict[str, Any]
    trajectory: Optional[Trajectory] = None
    certificate: Optional[Dict[str, Any]] = None
    explanation: Optional[Dict[str, Any]] = None
    warnings: List[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return self.trajectory is not None

    def __repr__(self) -> str:
        if self.trajectory is None:
            return f"<Plan {self.status}{_because(self.reason)}>"
        return f"<Plan {self.status}, {self.trajectory!r}{'' if self.certificate is None else ', with certificate'}>"


@dataclass(frozen=True, repr=False)
class Check:
    """Result of a check over continuous time. `report` has all fields of the service."""

    valid: bool
    faults: List[str]
    report: Dict[str, Any]
    certificate: Optional[Dict[str, Any]] = None

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return "<Check valid>" if self.valid else f"<Check not valid{_because('; '.join(self.faults))}>"


@dataclass(frozen=True, repr=False)
class Verification:
    """Whether a certificate proves a trajectory, and why not."""

    proved: bool
    problems: List[str]
    report: Dict[str, Any]

    def __bool__(self) -> bool:
        return self.proved

    def __repr__(self) -> str:
        return "<Verification proved>" if self.proved else f"<Verification not proved{_because('; '.join(self.problems))}>"


@dataclass(frozen=True, repr=False)
class Repair:
    """
    `status`: "good" (valid as given), "repaired" or "failed"; `changed`: intervals of the given trajectory, s;
    `unchecked`: number and reasons of the pairs of links and objects that are not checked.
    """

    status: str
    reason: str
    changed: List[Tuple[float, float]]
    trajectory: Optional[Trajectory] = None
    unchecked: Dict[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.trajectory is not None

    def __repr__(self) -> str:
        made = "" if self.trajectory is None else f", {self.trajectory!r}"
        return f"<Repair {self.status}{_because(self.reason)}{made}>"


@dataclass(frozen=True)
class Objects:
    """
    Names of the objects of the scene; warnings of angles that are probably in degrees; `gates`: the answer of each gate of
    the session to the change, a `GateAnswer` by its id.
    """

    obstacles: List[str]
    attached: List[str]
    warnings: List[str] = field(default_factory=list)
    gates: Dict[int, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Dynamics:
    """
    Torques (N m, N), those that hold the robot at rest, momentum in the world (kg m/s; angular about its origin), energy
    (J) and, on request, the mass matrix: of one state, or with a first dimension of many.
    """

    torques: Any
    gravity: Any
    linear_momentum: Any
    angular_momentum: Any
    kinetic_energy: Any
    mass_matrix: Any = None


def dynamics_of(answers: List[Any], is_batch: bool) -> Dynamics:
    """Reads answers of the method dynamics."""

    def column(*keys: str) -> Any:
        values: List[Any] = answers
        for key in keys:
            values = [one.get(key) for one in values]
        if not is_batch or values[:1] == [None]:
            return values[0]
        return arrays.numpy.array(values) if arrays.numpy is not None else values

    momentum = column("momentum", "linear"), column("momentum", "angular")
    return Dynamics(column("torques"), column("gravity"), *momentum, column("kinetic_energy"), column("mass_matrix"))


def pair_of(names: Any) -> Optional[Pair]:
    return None if names is None else (names[0], names[1])


def _because(reason: str, most: int = 120) -> str:
    """The beginning of a reason, for a short text of a result."""
    return "" if not reason else f": {reason if len(reason) <= most else reason[: most - 1] + '…'}"
