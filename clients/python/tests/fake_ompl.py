"""
Small fakes of the interfaces of OMPL's Python bindings, versions 1 and 2, as far as `elbowroom.ompl` uses them, with a
bidirectional random tree as their planner. The adapter is tested with them; it was not run with the real bindings.
"""

import math
import random


class base:
    class StateValidityChecker:
        def __init__(self, information):
            assert isinstance(information, base.SpaceInformation)

    class MotionValidator(StateValidityChecker):
        pass

    class RealVectorBounds:
        def __init__(self, dimension):
            self.low, self.high = [0.0] * dimension, [0.0] * dimension

        def setLow(self, index, value):
            self.low[index] = value

        def setHigh(self, index, value):
            self.high[index] = value

    class RealVectorStateSpace:
        def __init__(self, dimension):
            self.dimension = dimension

        def setBounds(self, bounds):
            self.bounds = bounds

    class State:
        """A ScopedState: indexable, and returns its state when called. It has no length, as in the bindings."""

        def __init__(self, space):
            self._values = [0.0] * space.dimension

        def __setitem__(self, index, value):
            self._values[index] = value

        def __getitem__(self, index):
            return self._values[index]

        def __call__(self):
            return self

    class SpaceInformation:
        def setMotionValidator(self, validator):
            assert isinstance(validator, base.MotionValidator)
            self.motions = validator

    class GoalStates:
        def __init__(self, information):
            assert isinstance(information, base.SpaceInformation)
            self.states = []

        def addState(self, state):
            self.states.append(state)


class Path:
    def __init__(self, states):
        self._states = states

    def getStateCount(self):
        return len(self._states)

    def getState(self, index):
        return self._states[index]


class geometric:
    class SimpleSetup:
        def __init__(self, space):
            self._space, self._information = space, base.SpaceInformation()

        def getStateSpace(self):
            return self._space

        def getSpaceInformation(self):
            return self._information

        def setStateValidityChecker(self, checker):
            assert isinstance(checker, base.StateValidityChecker)
            self._checker = checker

        def setStartState(self, state):
            self._start = state

        def setGoal(self, goal):
            self._goal = goal

        def getSolutionPath(self):
            return self._path

        def solve(self, _seconds):
            generator, space, check = random.Random(1), self._space, self._information.motions.checkMotion
            trees = [[(self._start, None)], [(goal, None) for goal in self._goal.states]]

            def grow(tree, target):
                near = min(tree, key=lambda node: distance(node[0], target))
                share = min(1.0, 0.8 / max(distance(near[0], target), 1e-9))
                q = base.State(space)
                for i in range(space.dimension):
                    q[i] = near[0][i] + share * (target[i] - near[0][i]) if share < 1 else target[i]
                if not self._checker.isValid(q) or not check(near[0], q):
                    return None
                tree.append((q, near))
                return tree[-1]

            def distance(a, b):
                return math.dist([a[i] for i in range(space.dimension)], [b[i] for i in range(space.dimension)])

            def states_to(node):
                return [] if node is None else [*states_to(node[1]), node[0]]

            for i in range(5000):
                one, other = trees if i % 2 == 0 else trees[::-1]
                sample = [generator.uniform(*ends) for ends in zip(space.bounds.low, space.bounds.high)]
                tip = grow(one, sample)
                met = tip and grow(other, tip[0])
                while met and distance(met[0], tip[0]) > 0:
                    met = grow(other, tip[0])
                if met:
                    path = states_to(tip) + states_to(met)[::-1][1:]
                    self._path = Path(path if i % 2 == 0 else path[::-1])
                    return True
            return False


class base2(base):
    """OMPL 2: no ScopedState, states are allocated, and the setup takes no attributes."""

    class RealVectorStateType:
        __slots__ = ("values",)

        def __init__(self, dimension):
            self.values = [0.0] * dimension

        def __setitem__(self, index, value):
            self.values[index] = value

        def __getitem__(self, index):
            return self.values[index]

    class State:
        def __init__(self, *_):
            raise TypeError("State: no constructor defined")

    class SpaceInformation(base.SpaceInformation):
        def __init__(self, space):
            self.dimension = space.dimension

        def allocState(self):
            return base2.RealVectorStateType(self.dimension)


class geometric2:
    class SimpleSetup(geometric.SimpleSetup):
        def __init__(self, space):
            super().__init__(space)
            self._information = base2.SpaceInformation(space)

        def __setattr__(self, name, value):
            if name == "_elbowroom":
                raise AttributeError(name)
            super().__setattr__(name, value)
