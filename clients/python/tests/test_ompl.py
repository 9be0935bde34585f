import unittest

import elbowroom
import elbowroom.ompl

from . import fake_ompl
from .helpers import SHELF, TABLE


class Adapter(unittest.TestCase):
    """The adapter with the fake of the bindings (`fake_ompl`)."""

    def test_a_planner_of_the_bindings_finds_a_path_that_check_accepts(self):
        versions = ((fake_ompl.base, fake_ompl.geometric), (fake_ompl.base2, fake_ompl.geometric2))
        with elbowroom.start(TABLE) as session:
            for base, geometric in versions:
                setup = elbowroom.ompl.simple_setup(session, base, geometric)
                self.assertTrue(setup.solve(10.0))
                path = elbowroom.ompl.path_of(session, setup.getSolutionPath())
                self.assertGreater(len(path), 2)
                self.assertEqual(session.check(path).faults, [])
                self.assertEqual(list(path.positions[0]), session.start)

    def test_the_checkers_have_the_interface_of_the_bindings(self):
        with elbowroom.start(SHELF) as session:
            information = fake_ompl.base.SpaceInformation()
            states, motions = elbowroom.ompl.checkers(session, information, fake_ompl.base)
            goal = session.goal_states()[0]
            self.assertTrue(states.isValid(session.start))
            self.assertAlmostEqual(states.clearance(session.start), session.clearance(session.start).distance)
            self.assertEqual(list(states.areValid([session.start, [0.0] * 6])), [True, False])
            last = []
            self.assertFalse(motions.checkMotion(session.start, goal, last))
            answer = session.validate_motion(session.start, goal)
            self.assertEqual(last[1], answer.free_until)
            self.assertTrue(motions.checkMotion(session.start, last[0]))
            self.assertEqual(list(motions.areValid([(session.start, session.start)])), [True])
            self.assertEqual((motions.getValidMotionCount(), motions.getInvalidMotionCount()), (1, 1))
            state = [0.0] * 6
            self.assertEqual(motions.checkMotionWithLastValid(session.start, goal, state), (False, last[1]))
            self.assertEqual(state, last[0])
            self.assertEqual(motions.checkMotionWithLastValid(session.start, last[0], None), (True, 1.0))

    def test_without_the_bindings_the_error_names_them(self):
        try:
            import ompl  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ImportError, "pip install ompl"):
                elbowroom.ompl._module("base")


if __name__ == "__main__":
    unittest.main()
