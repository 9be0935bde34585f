"""
Adapter for OMPL's Python bindings: its planners, with our validity checks. Motions are certified over continuous time
rather than sampled, and travel as binary frames. The bindings of OMPL 1 and 2 are imported on use; pass another module
of the same interface as `base`. Not run with either: tested with fakes of their interfaces.

    from ompl import base, geometric
    import elbowroom, elbowroom.ompl

    with elbowroom.start("scenes/shelf.yaml") as session:
        setup = elbowroom.ompl.simple_setup(session)
        if setup.solve(10.0):
            trajectory = elbowroom.ompl.path_of(session, setup.getSolutionPath())
            print(session.check(trajectory).faults)
"""

from __future__ import annotations

import importlib
from typing import Any, List, Optional, Sequence, Tuple

from .session import Session
from .trajectory import Trajectory


class Validity:
    """The interface of ``ompl.base.StateValidityChecker``, also without the bindings."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def isValid(self, state: Any) -> bool:
        """True if the state is within limits and proved collision-free."""
        return bool(self.session.validate([values(self.session, state)])[0])

    def areValid(self, states: Sequence[Any]) -> Any:
        """Validity of many states in one request."""
        return self.session.validate([values(self.session, state) for state in states])

    def clearance(self, state: Any) -> float:
        """Minimum distance, metres; negative in collision."""
        return self.session.clearance(values(self.session, state)).distance


class Motions:
    """The interface of ``ompl.base.MotionValidator``, also without the bindings."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.valid = 0
        self.invalid = 0

    def checkMotion(self, first: Any, second: Any, lastValid: Optional[List[Any]] = None) -> bool:
        """True if the straight motion is certified. `lastValid` receives the last certified state and its time, 0 to 1."""
        a, b = values(self.session, first), values(self.session, second)
        if self.session.validate_motions([[a, b]])[0]:
            self.valid += 1
            return True
        self.invalid += 1
        if lastValid is not None:
            lastValid[:] = self._last_valid(a, b)
        return False

    def checkMotionWithLastValid(self, first: Any, second: Any, last_valid: Any) -> Tuple[bool, float]:
        """As `checkMotion`, under the name that bindings of OMPL 2 call: writes the last certified state, if wanted."""
        last: List[Any] = []
        if self.checkMotion(first, second, last):
            return True, 1.0
        if last_valid is not None:
            for i, value in enumerate(last[0]):
                last_valid[i] = value
        return False, float(last[1])

    def _last_valid(self, a: List[float], b: List[float]) -> List[Any]:
        answer = self.session.validate_motion(a, b)
        share = answer.free_until if answer.pair else 0.0
        return [[p + share * (q - p) for p, q in zip(a, b)], share]

    def areValid(self, motions: Sequence[Tuple[Any, Any]]) -> Any:
        """Validity of many motions in one request."""
        listed = [[values(self.session, first), values(self.session, second)] for first, second in motions]
        return self.session.validate_motions(listed)

    def getValidMotionCount(self) -> int:
        return self.valid

    def getInvalidMotionCount(self) -> int:
        return self.invalid


def values(session: Session, state: Any) -> List[float]:
    """The joint values of an OMPL state, or of any sequence."""
    found = state() if callable(state) else state  # a ScopedState returns its state
    return [float(found[i]) for i in range(session.dof)]


def space(session: Session, base: Any = None) -> Any:
    """A RealVectorStateSpace with the limits of the robot."""
    base = base or _module("base")
    created = base.RealVectorStateSpace(session.dof)
    bounds = base.RealVectorBounds(session.dof)
    for i, (low, high) in enumerate(zip(session.lower, session.upper)):
        bounds.setLow(i, low)
        bounds.setHigh(i, high)
    created.setBounds(bounds)
    return created


def checkers(session: Session, space_information: Any, base: Any = None) -> Tuple[Any, Any]:
    """A StateValidityChecker and a MotionValidator for a SpaceInformation. Keep both as long as OMPL uses them."""
    base = base or _module("base")

    class StateValidityChecker(Validity, base.StateValidityChecker):  # type: ignore[misc]
        def __init__(self) -> None:
            base.StateValidityChecker.__init__(self, space_information)
            Validity.__init__(self, session)

    class MotionValidator(Motions, base.MotionValidator):  # type: ignore[misc]
        def __init__(self) -> None:
            base.MotionValidator.__init__(self, space_information)
            Motions.__init__(self, session)

    return StateValidityChecker(), MotionValidator()


def simple_setup(session: Session, base: Any = None, geometric: Any = None) -> Any:
    """A SimpleSetup for the scene: space, checkers, start, and all goal states of the scene."""
    base, geometric = base or _module("base"), geometric or _module("geometric")
    goals = session.goal_states()
    if session.start is None or not goals:
        raise ValueError("the scene has no start, or no valid goal state")
    setup = geometric.SimpleSetup(space(session, base))
    information = setup.getSpaceInformation()
    both = checkers(session, information, base)
    try:
        setup._elbowroom = both  # bindings of OMPL 1 refer to these objects without owning them
    except AttributeError:
        pass  # those of OMPL 2 own them
    setup.setStateValidityChecker(both[0])
    information.setMotionValidator(both[1])
    setup.setStartState(_state(base, setup, session.start))
    region = base.GoalStates(information)
    for q in goals:
        region.addState(_state(base, setup, q))
    setup.setGoal(region)
    return setup


def path_of(session: Session, path: Any) -> Trajectory:
    """The states of a PathGeometric as a path, for `check`, `repair` and `save`."""
    states = [values(session, path.getState(i)) for i in range(path.getStateCount())]
    return Trajectory.from_arrays([joint.name for joint in session.joints], states)


def _state(base: Any, setup: Any, q: Sequence[float]) -> Any:
    """A state: a ScopedState, which OMPL 2 does not have; there the space information allocates states."""
    has_scoped = not hasattr(base, "RealVectorStateType")
    state = base.State(setup.getStateSpace()) if has_scoped else setup.getSpaceInformation().allocState()
    for i, value in enumerate(q):
        state[i] = value
    return state


def _module(name: str) -> Any:
    try:
        return importlib.import_module(f"ompl.{name}")
    except ImportError as error:
        raise ImportError("the Python bindings of OMPL are not installed (pip install ompl)") from error
