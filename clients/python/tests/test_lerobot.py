"""The processor step in the style of LeRobot, without the package: transitions are dictionaries."""

import itertools
import unittest

import elbowroom
from elbowroom.lerobot import GateStep

from .helpers import SHELF


class Tensor(list):
    """As much of a tensor as the step uses."""

    def tolist(self):
        return [list(row) for row in self]

    def new_tensor(self, rows):
        return Tensor(rows)


class LeRobotTest(unittest.TestCase):
    def test_a_step_passes_a_free_chunk_and_stops_before_a_contact(self):
        ticks = itertools.count()
        with elbowroom.start(SHELF) as session, session.gate(clock=lambda: 0.3 * next(ticks)) as gate:
            step = GateStep(gate, interval=0.05)
            start = list(session.start)
            near = Tensor([start[0] - 0.0005 * i * i, *start[1:], 0.5] for i in range(10))
            out = step({"action": near, "reward": 1.0})
            self.assertIn(step.answer.verdict, ("accepted", "slowed"))
            self.assertEqual((type(out["action"]), len(out["action"]), out["reward"]), (Tensor, 10, 1.0))
            self.assertEqual([row[6] for row in out["action"]], [0.5] * 10)
            for given, safe in zip(near, out["action"]):
                self.assertTrue(all(abs(a - b) < 0.02 for a, b in zip(given, safe)))
            far = [[start[0], start[1] + 0.05 * i, *start[2:]] for i in range(60)]  # into the floor
            (safe,) = step({"action": [far]})["action"]
            self.assertIn(step.answer.verdict, ("trimmed", "refused"))
            self.assertTrue(all(session.validate(safe)))
            self.assertEqual(safe[-1], safe[-2])  # at rest
            self.assertEqual(GateStep(gate, **step.get_config()).delay, 0.05)
            step.reset()
            self.assertIsNone(step.answer)


if __name__ == "__main__":
    unittest.main()
