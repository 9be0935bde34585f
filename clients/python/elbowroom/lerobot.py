"""
A processor step in the style of LeRobot: chunks of actions pass the gate before they reach the robot. The step has the
methods of `lerobot.processor.ProcessorStep` and imports nothing; it was not run with the package itself.

    import elbowroom, elbowroom.lerobot

    with elbowroom.start("scenes/shelf.yaml") as session, session.gate() as gate:
        step = elbowroom.lerobot.GateStep(gate, interval=0.02)
        transition = step({"action": policy(observation)})  # [n, joints], radians
        print(step.answer.verdict)
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

from . import arrays
from .gate import Gate, GateAnswer


class GateStep:
    """
    Replaces the action of a transition, a chunk [n, joints] or [1, n, joints] of joint values that are meant for times
    `delay`, `delay + interval`, … after now, by the values of the committed motion at these times. Further columns,
    such as a gripper, are kept. `answer`: of the gate to the last chunk.
    """

    def __init__(self, gate: Gate, interval: float, delay: float = 0.05) -> None:
        self.gate = gate
        self.interval = interval
        self.delay = delay
        self.answer: Optional[GateAnswer] = None

    def __call__(self, transition: Mapping[str, Any]) -> Dict[str, Any]:
        action = transition["action"]
        given: List[Any] = action.tolist() if hasattr(action, "tolist") else list(action)
        is_batch = len(given) == 1 and not isinstance(given[0][0], (int, float))
        rows = given[0] if is_batch else given
        dof = self.gate.dof
        now = self.gate.clock()
        times = [now + self.delay + i * self.interval for i in range(len(rows))]
        self.answer = self.gate.propose(times, [row[:dof] for row in rows], now=now)
        committed = self.gate.state()
        safe = [[*committed.at(t), *row[dof:]] for t, row in zip(times, rows)]
        return {**transition, "action": _like(action, [safe] if is_batch else safe)}

    def transform_features(self, features: Any) -> Any:
        """The features of actions stay the same."""
        return features

    def get_config(self) -> Dict[str, Any]:
        """Values with which the step can be made again; the gate is that of a running service."""
        return {"interval": self.interval, "delay": self.delay}

    def state_dict(self) -> Dict[str, Any]:
        """No tensors are kept."""
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Nothing is loaded."""

    def reset(self) -> None:
        """Forgets the last answer; the committed motion goes on to its end."""
        self.answer = None


def _like(action: Any, rows: List[Any]) -> Any:
    """Rows as a tensor or array of the kind and type of the action, or as lists."""
    if hasattr(action, "new_tensor"):
        return action.new_tensor(rows)
    if hasattr(action, "dtype") and arrays.numpy is not None:
        return arrays.numpy.asarray(rows, dtype=action.dtype)
    return rows
