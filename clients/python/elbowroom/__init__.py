"""
Client of elbowroom: certified motion planning and collision checking for robot arms.

    import elbowroom

    with elbowroom.start("scenes/table-top.yaml") as session:
        plan = session.plan(seed=3)
        print(plan.status, plan.trajectory)
"""

from .errors import (
    Cancelled,
    ConnectionLost,
    DeadlineExceeded,
    ElbowroomError,
    InvalidFrame,
    InvalidParameters,
    ServiceError,
    TimeLimitReached,
    TooLarge,
)
from .gate import Committed, Gate, GateAnswer
from .link import Cancellation
from .pairs import PairResults, query
from .results import (
    Check,
    Clearance,
    Clearances,
    Dynamics,
    Joint,
    MotionValidity,
    Objects,
    Plan,
    Pose,
    Poses,
    Repair,
    Solutions,
    StateValidity,
    Verification,
)
from .session import Session, connect, start
from .trajectory import Trajectory
from .watch import Watch, WatchReport

__all__ = [
    "Cancellation",
    "Cancelled",
    "Check",
    "Clearance",
    "Clearances",
    "Committed",
    "ConnectionLost",
    "DeadlineExceeded",
    "Dynamics",
    "ElbowroomError",
    "Gate",
    "GateAnswer",
    "InvalidFrame",
    "InvalidParameters",
    "Joint",
    "MotionValidity",
    "Objects",
    "PairResults",
    "Plan",
    "Pose",
    "Poses",
    "Repair",
    "ServiceError",
    "Session",
    "Solutions",
    "StateValidity",
    "TimeLimitReached",
    "TooLarge",
    "Trajectory",
    "Verification",
    "Watch",
    "WatchReport",
    "connect",
    "query",
    "start",
]
